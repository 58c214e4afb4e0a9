"""A run that has failed goes on to the end of its block; it must not take much more memory for that."""
import pytest

import caldera

LONG = ("lpad(x::text, 3000000)", "max(lpad(x::text, 3000000))", "string_agg(lpad(x::text, 3000000), '')",
        "upper(lpad(x::text, 3000000)) || lower(lpad(x::text, 3000000))")


@pytest.mark.parametrize("expression", LONG)
def test_long_texts_of_a_block_that_is_given_up_share_memory(expression, monkeypatch):
    from caldera.kernel.structures.memory import POOL
    taken, plain = [], POOL.take

    def noted(words, zeroed=False):
        taken.append(8 * words)
        return plain(words, zeroed)
    with caldera.connect(threads=1, memory_limit="16MB") as connection:
        connection.execute("SET caldera.tier = 'fast'")
        monkeypatch.setattr(POOL, "take", noted)
        with pytest.raises(caldera.Error) as caught:
            connection.sql(f"SELECT {expression} FROM generate_series(1, 300) x")
        assert caught.value.sqlstate == "53200"
        assert sum(taken) < 250 << 20
        assert connection.session.database.budget.used == 0
