"""A library is loaded when something of it is first wanted."""
import sys

from caldera.base.lazy import LazyModule


def test_a_module_is_loaded_with_its_first_attribute():
    sys.modules.pop("this_is_not_there", None)
    absent, colors = LazyModule("this_is_not_there"), LazyModule("colorsys")
    assert colors.rgb_to_hsv(0, 0, 0) == (0, 0, 0) and "colorsys" in sys.modules
    try:
        absent.anything
    except ModuleNotFoundError:
        return
    raise AssertionError
