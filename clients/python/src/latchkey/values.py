"""Reads the values of one flat JSON array that may be larger than memory, piece by piece."""

import codecs
import json
from typing import Any, Iterator

from .content import Content
from .errors import InvalidDocument
from .grammar import (
    BETWEEN_STRINGS,
    DECODER,
    DELIMITERS,
    IN_STRING,
    MAX_ESCAPE,
    SPACE,
    STRING,
    check_depth,
    deeper,
)

#: An import takes no longer value but data.
_MOST_VALUE = 1_048_576
#: So much of data is kept in memory.
_MOST_KEPT = 262_144


class Values:
    """The values of an array, in order. Raises InvalidDocument for what is not JSON, or not in bounds."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._decode = codecs.getincrementaldecoder("utf-8")("strict").decode
        self._text = ""
        self._at = 0
        self._is_open = False

    def has_more(self) -> bool:
        """Whether another value follows. Reads past what separates it."""
        found = self._next()
        if found == ("," if self._is_open else "["):
            self._at += 1
            is_first, self._is_open = not self._is_open, True
            if is_first and self._next() == "]":
                return self._end()
            return True
        if found == "]" and self._is_open:
            return self._end()
        raise InvalidDocument("it is not an array of values with commas between them")

    def _end(self) -> bool:
        self._at += 1
        if self._next():
            raise InvalidDocument("something follows its end")
        return False

    def value(self) -> Any:
        """The next value, a short one."""
        if not self._complete(_MOST_VALUE):
            raise InvalidDocument(f"a value is longer than {_MOST_VALUE} characters")
        return self._found

    def content(self) -> "tuple[type, Content]":
        """The next value of any length as text, and which type it is: that of a string's characters, or JSON text."""
        begin = self._next()
        if self._complete(_MOST_KEPT):
            if isinstance(self._found, str):
                return str, Content(self._found)
            return type(self._found), Content(self._text[self._from : self._at])
        if begin == '"':
            return str, self._large_string()
        if begin == "[" or begin == "{":
            return list if begin == "[" else dict, self._large_json()
        raise InvalidDocument(f"a value is longer than {_MOST_KEPT} characters")

    def _complete(self, most: int) -> bool:
        """Reads a value that is short enough into `_found`. False if it is longer, and nothing is read."""
        self._next()
        while True:
            try:
                self._found, end = DECODER.raw_decode(self._text, self._at)
            except RecursionError:
                raise InvalidDocument("a value is nested too deeply") from None
            except ValueError:
                # Not complete, or not JSON.
                end = len(self._text)
            # 0 may be the beginning of 0.5.
            if self._text[end : end + 1] in DELIMITERS and end - self._at <= most:
                if self._text[self._at] in "[{":
                    check_depth(self._text[self._at : end])
                self._from, self._at = self._at, end
                return True
            if len(self._text) - self._at > most:
                return False
            if not self._fill():
                raise InvalidDocument("a value is not JSON")

    def _large_string(self) -> Content:
        content = Content.large()
        self._at += 1
        while True:
            match = STRING.match(self._text, self._at, self._at + 32_768)
            end = match.end() if match else self._at
            if end > self._at:
                content.append(json.loads(f'"{self._text[self._at : end]}"'))
                self._at = end
            elif self._text[self._at : end + 1] == '"':
                self._at += 1
                return content
            elif len(self._text) - self._at >= MAX_ESCAPE or not self._fill():
                raise InvalidDocument("a string is not JSON")

    def _large_json(self) -> Content:
        content, depth, is_string = Content.large(), 0, False
        while True:
            begin = self._at
            while token := (IN_STRING if is_string else BETWEEN_STRINGS).match(self._text, self._at):
                self._at = token.end()
                is_string = is_string != bool(token[1])
                depth = depth if is_string else deeper(depth, token[0])
                if depth == 0:
                    content.append(self._text[begin : self._at])
                    return content
            content.append(self._text[begin : self._at])
            if not self._fill():
                raise InvalidDocument("a value is not JSON")

    def _next(self) -> str:
        """The next character that is not blank; empty at the end."""
        while True:
            match = SPACE.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._fill():
                return ""

    def _fill(self) -> bool:
        """Reads the next block. False at the end."""
        block = next(self._blocks, b"")
        try:
            text = self._decode(block, not block)
        except UnicodeDecodeError:
            raise InvalidDocument("it is not UTF-8") from None
        self._text, self._at = self._text[self._at :] + text, 0
        return bool(block)
