"""Arrays and texts: array_to_string, string_to_array."""
from caldera.functions.registry import scalar
from caldera.types.array_image import Array


@scalar("array_to_string(anyarray, text) -> text", "array_to_string(anyarray, text, text) -> text", python=True,
        strict=False, wants_session=True, wants_types=True, volatility="s",
        doc="The elements as texts, with a delimiter between them; NULLs are left out, or are what the third text says.",
        example="SELECT array_to_string(ARRAY[1, 2, NULL, 5], ',', '*')  -- 1,2,*,5")
def array_to_string(session, types, array, delimiter, null=None):
    if array is None or delimiter is None:
        return None
    write = types[0].element.format
    texts = (null if element is None else write(element, session) for element in array.elements)
    return delimiter.join(text for text in texts if text is not None)


@scalar("string_to_array(text, text) -> _text", "string_to_array(text, text, text) -> _text", python=True, strict=False,
        doc="The pieces of a text between delimiters, of NULL as delimiter its characters; NULL for those that are the "
            "third text.",
        example="SELECT string_to_array('xx~~yy~~zz', '~~', 'yy')  -- {xx,NULL,zz}")
def string_to_array(text, delimiter, null=None):
    if text is None:
        return None
    pieces = [] if not text else list(text) if delimiter is None else text.split(delimiter) if delimiter else [text]
    return Array.of(None if piece == null else piece for piece in pieces)
