"""jsonb_path_exists, _match, _query_array, _query_first, the same with _tz, and the operators @? and @@."""
from caldera.base.errors import Error, error
from caldera.functions.jsonpath.evaluation import LASTING, Evaluation
from caldera.functions.jsonpath.moments import Moment
from caldera.functions.registry import scalar
from caldera.types.json_values import read, write
from caldera.types.jsonpath import path_of


def evaluation(session, document, path, variables="{}", with_zones=False):
    """The Evaluation of a path on a document, both as datums. Raises 22023 unless the variables are an object."""
    named = read(variables)
    if not isinstance(named, dict):
        raise error("22023", '"vars" argument is not an object',
                    detail='Jsonpath parameters should be encoded as key-value pairs of "vars" object.')
    return Evaluation(path_of(path), read(document), named, session, with_zones)


def plain(value):
    """A value found as JSON has it: moments become strings."""
    return str(value) if isinstance(value, Moment) else value


def found(session, document, path, variables="{}", silent=False, with_zones=False):
    """The values found, one by one; where something goes wrong, silence ends them."""
    try:
        yield from evaluation(session, document, path, variables, with_zones).items()
    except Error as fault:
        if not silent or fault.sqlstate in LASTING:
            raise


def exists(session, document, path, variables="{}", silent=False, with_zones=False):
    """Whether anything is found; NULL where something went wrong silently. A strict path is followed to its end."""
    try:
        asked = evaluation(session, document, path, variables, with_zones)
        return bool(list(asked.items())) if asked.strict else next((True for _ in asked.items()), False)
    except Error as fault:
        if not silent or fault.sqlstate in LASTING:
            raise
        return None


def match(session, document, path, variables="{}", silent=False, with_zones=False):
    """The truth value that is found; NULL for null."""
    values = list(found(session, document, path, variables, silent, with_zones))
    if len(values) == 1 and (values[0] is None or isinstance(values[0], bool)):
        return values[0]
    if silent:
        return None
    raise error("22038", "single boolean result is expected")


def query_array(session, *question):
    """All that is found as an array."""
    return write([plain(value) for value in found(session, *question)])


def query_first(session, *question):
    """The first value that is found, or NULL."""
    return next((write(plain(value)) for value in found(session, *question)), None)


QUESTION = "(jsonb, jsonpath, jsonb, bool)"
for name, result, body, doc, shown in (
        ("jsonb_path_exists", "bool", exists, "Whether a jsonpath finds anything.", "t"),
        ("jsonb_path_match", "bool", match, "The truth value that a jsonpath finds.", "t"),
        ("jsonb_path_query_array", "jsonb", query_array, "All that a jsonpath finds, as an array.", "[true]"),
        ("jsonb_path_query_first", "jsonb", query_first, "The first value that a jsonpath finds.", "true")):
    example = f"""('{{"a": 2}}', '$.a == 2')  -- {shown}"""
    scalar(f"{name}{QUESTION} -> {result}", python=True, wants_session=True, doc=doc,
           example=f"SELECT {name}{example}")(body)
    scalar(f"{name}_tz{QUESTION} -> {result}", python=True, wants_session=True, volatility="s", doc=doc,
           example=f"SELECT {name}_tz{example}",
           )(lambda session, *question, body=body: body(session, *question, True))


@scalar("jsonb_path_exists_opr(jsonb, jsonpath) -> bool", operator="@?", python=True, wants_session=True,
        doc="Whether a jsonpath finds anything; errors give NULL.",
        example="SELECT '[1, 2]'::jsonb @? '$[*] ? (@ > 1)'  -- t")
def exists_silently(session, document, path):
    return exists(session, document, path, silent=True)


@scalar("jsonb_path_match_opr(jsonb, jsonpath) -> bool", operator="@@", python=True, wants_session=True,
        doc="The truth value that a jsonpath finds; errors give NULL.",
        example="SELECT '[1, 2]'::jsonb @@ '$[0] < $[1]'  -- t")
def match_silently(session, document, path):
    return match(session, document, path, silent=True)
