"""How wide texts are in a terminal, and cutting them to fit."""
import unicodedata


def width(text):
    """How many columns of a terminal a text without line ends takes: wide East Asian letters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(map(letter_width, text))


def letter_width(letter):
    """The columns that one letter takes."""
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def cut(text, columns):
    """The text in at most so many columns; what was cut off leaves an ellipsis."""
    if width(text) <= columns:
        return text
    kept, room = [], columns - 1
    for letter in text:
        room -= letter_width(letter)
        if room < 0:
            break
        kept.append(letter)
    return "".join(kept) + "…"


def padded(text, columns, right=False):
    """The text filled up with spaces to a number of columns, on its left if it is to stand on the right."""
    space = " " * max(0, columns - width(text))
    return space + text if right else text + space


def one_line(text):
    """The text with its line ends and other invisible letters spelled out."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
