"""What TABLESAMPLE asks for each row."""
from caldera.functions.registry import scalar
from caldera.kernel.interface import F64, I64
from caldera.kernel.text import hash_words


@scalar("in_sample(int8, int4, float4, float8) -> bool", doc="Whether a row belongs to a sample: its number, the bits of it "
        "that do not count, the percentage, and what makes the sample another one")
def in_sample(call, row, bits, percent, seed):
    k = call.k
    percent = k.convert(percent, F64)
    call.fault(k.not_(k.and_(percent >= 0.0, percent <= 100.0)), "2202H", "sample percentage must be between 0 and 100")
    hash = hash_words(k, row >> k.convert(bits, I64), k.reinterpret(seed, I64))
    return k.convert(hash >> 11, F64) * (100.0 / 2.0**53) < percent
