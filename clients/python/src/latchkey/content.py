"""What an entry holds: in memory where it is small, in a temporary file that nobody else sees where it is not."""

import re
from base64 import b64decode
from tempfile import TemporaryFile
from typing import IO, Iterator, Optional

_PIECE = 65_536
#: Bytes of UTF-8, with the comma.
_MOST_HEADER = 256
_HEADER = re.compile(r"data:[^,]*;base64,")
#: Half of a surrogate pair.
_HALF = re.compile("[\ud800-\udfff]")
_DIGITS = re.compile(r"[A-Za-z0-9+/]*(={0,2})")


class Content:
    """A text of any length."""

    def __init__(self, text: str = "", file: Optional[IO[bytes]] = None) -> None:
        self._text = text
        self._file = file

    @classmethod
    def large(cls) -> "Content":
        """An empty one in a temporary file, to `append` to."""
        return cls(file=TemporaryFile("w+b"))

    def append(self, text: str) -> None:
        assert self._file is not None
        self._file.write(text.encode("utf-8", "surrogatepass"))

    def text(self) -> str:
        """All of it, in memory. What is stored may hold half of a surrogate pair, which UTF-8 cannot write."""
        return "".join(self.pieces())

    def pieces(self) -> Iterator[str]:
        """All of it, in pieces of a bounded length."""
        if self._file is None:
            yield self._text
            return
        at, rest = 0, b""
        while True:
            # Others may read it at the same time, from elsewhere.
            self._file.seek(at)
            block = self._file.read(_PIECE)
            at += len(block)
            if not block:
                return
            block = rest + block
            whole = _whole_characters(block)
            rest = block[whole:]
            yield block[:whole].decode("utf-8", "surrogatepass")

    def bytes(self) -> Iterator[bytes]:
        """
        The file that this content stands for: the bytes of a data: URL, or else the text as UTF-8 (half of a surrogate
        pair as U+FFFD).
        """
        begin = self._header()
        if not begin:
            for piece in self.pieces():
                yield _HALF.sub("\ufffd", piece).encode("utf-8")
            return
        digits = ""
        for piece in self.pieces():
            digits += piece[begin:]
            begin = max(0, begin - len(piece))
            whole = len(digits) - len(digits) % 4
            yield b64decode(digits[:whole])
            digits = digits[whole:]

    def _header(self) -> int:
        """The length of the header of a valid data: URL with base64; 0 if this is none."""
        first = next(self.pieces(), "")
        header = _HEADER.match(first, 0, _MOST_HEADER)
        if not header or len(header[0].encode("utf-8", "surrogatepass")) > _MOST_HEADER:
            return 0
        begin, count, padding = header.end(), 0, 0
        for piece in self.pieces():
            digits = piece[begin:]
            begin = max(0, begin - len(piece))
            match = _DIGITS.fullmatch(digits)
            if not match or (padding and digits.strip("=")):
                return 0
            count += len(digits)
            padding += len(match[1])
        return header.end() if count % 4 == 0 and padding <= 2 else 0


def _whole_characters(block: bytes) -> int:
    """How many of these bytes of UTF-8 are whole characters."""
    for back in range(1, min(4, len(block)) + 1):
        byte = block[-back]
        if byte >= 0xC0:
            needed = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return len(block) if back >= needed else len(block) - back
        if byte < 0x80:
            break
    return len(block)
