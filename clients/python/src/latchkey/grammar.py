"""What JSON is made of, with bounds that the json module does not have."""

import json
import re

from .errors import InvalidDocument

_MOST_DEPTH = 100
_MOST_DIGITS = 400
MAX_ESCAPE = 12
DELIMITERS = frozenset(",] \t\n\r")
SPACE = re.compile(r"[ \t\n\r]*")
# Whole characters and escapes only. Half a surrogate pair is one once it is certain that the other does not follow.
STRING = re.compile(
    r'(?:[^"\\\x00-\x1f]+|\\["\\/bfnrt]|\\u(?![dD][89abAB])[0-9a-fA-F]{4}'
    r"|\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?=[^\\]|\\[^u]|\\u[^dD]|\\u[dD][^c-fC-F])))*"
)
# Unrolled, so that an unfinished string is found out in one pass.
TOKEN = re.compile(r'[^\[\]{}"]+|[\[\]{}]|"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
# The same where a string may be of any length: its group is the quote that begins or ends one.
BETWEEN_STRINGS = re.compile(r'[^\[\]{}"]+|[\[\]{}]|(")')
IN_STRING = re.compile(r'[^"\\]+|\\.|(")', re.DOTALL)


def _number(digits: str) -> float:
    """As a double if it is large: infinity beyond any."""
    return int(digits) if len(digits) <= _MOST_DIGITS and digits.lstrip("-").isdecimal() else float(digits)


def _no_number(word: str) -> float:
    raise InvalidDocument(f"{word} is not JSON")


DECODER = json.JSONDecoder(parse_int=_number, parse_float=_number, parse_constant=_no_number)


def check_depth(text: str) -> None:
    depth = 0
    for token in TOKEN.findall(text):
        depth = deeper(depth, token)


def deeper(depth: int, token: str) -> int:
    if token in ("[", "{"):
        depth += 1
    elif token in ("]", "}"):
        depth -= 1
    if depth > _MOST_DEPTH:
        raise InvalidDocument("a value is nested too deeply")
    return depth
