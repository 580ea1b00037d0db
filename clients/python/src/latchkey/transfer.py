"""A document's bytes, however often the connection breaks."""

import re
import time
import zlib
from typing import Iterator, Mapping, Optional

from .answer import Answer
from .errors import DocumentChanged, InvalidDocument, NoAnswer
from .refusals import RangeNotSatisfiable
from .repeating import MAX_TRIES, pause_before, repeating
from .transport import Transport

PATH = ["read-files"]
Query = Mapping[str, Optional[str]]
_BLOCK = 65_536
_GZIP = 31
_RANGE = re.compile(r"bytes (\d+)-\d+/\d+")


class Transfer:
    """
    One version of the document, or of the part of it that `query` names. It is fetched as gzip; after a break, the rest
    of the plain form is, which alone has ranges. Where there are none, it is fetched anew, and what has arrived is
    skipped. Raises DocumentChanged if there is a newer version by then.
    """

    def __init__(self, transport: Transport, answer: Answer, query: Query = {}) -> None:
        self._transport = transport
        self._answer = answer
        self._query = query
        self.etag = answer.headers.get("ETag")
        """Names this version, in the form in which it was fetched."""
        self._is_gzip = answer.headers.get("Content-Encoding", "").lower() == "gzip"
        #: The tag of the plain form, once it is known.
        self._plain_etag: Optional[str] = None if self._is_gzip else self.etag
        self._received = 0
        #: Bytes of this response that have arrived before.
        self._repeated = 0

    def close(self) -> None:
        self._answer.__exit__()

    def blocks(self) -> Iterator[bytes]:
        """The bytes of the plain form."""
        failures = 0
        while True:
            try:
                with self._answer:
                    for block in _inflated(self._answer) if self._is_gzip else _received(self._answer):
                        new = block[self._repeated :]
                        self._repeated -= len(block) - len(new)
                        if not new:
                            continue
                        failures = 0
                        self._received += len(new)
                        yield new
                return
            except NoAnswer:
                failures += 1
                if failures == MAX_TRIES:
                    raise
                time.sleep(pause_before(failures))
            if not repeating(self._resume):
                return

    def _resume(self) -> bool:
        """Asks for the rest. False if there is none."""
        headers = {"Range": f"bytes={self._received}-", "If-Range": self._plain_tag()}
        try:
            answer = self._transport.open(PATH, self._query, headers=headers, taken=(200, 206))
        except RangeNotSatisfiable:
            # Only the end of the gzip form was missing, or the document is shorter now.
            if self._tag("identity") == self._plain_etag:
                return False
            raise DocumentChanged("The files changed while they were read.") from None
        if not (self._is_same(answer) if answer.status == 200 else self._is_rest(answer)):
            answer.__exit__()
            raise DocumentChanged("The files changed while they were read.")
        self._answer, self._is_gzip = answer, False
        self._repeated = self._received if answer.status == 200 else 0
        return True

    def _is_same(self, answer: Answer) -> bool:
        """Whether it is all of this version, byte for byte, which a weak tag does not promise."""
        is_plain = answer.headers.get("Content-Encoding", "identity").lower() == "identity"
        tag = answer.headers.get("ETag", "")
        return is_plain and tag.startswith('"') and tag == self._plain_etag

    def _is_rest(self, answer: Answer) -> bool:
        place = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        is_next = place is not None and int(place[1]) == self._received
        return is_next and answer.headers.get("ETag") in (None, self._plain_etag)

    def _plain_tag(self) -> str:
        """
        The tag of the plain form of this version. If the gzip form is the same before and after asking for it, no newer
        version came in between.
        """
        if self._plain_etag is None:
            tag = self._tag("identity")
            if self.etag is None or self._tag("gzip") != self.etag:
                raise DocumentChanged("The files changed while they were read.")
            self._plain_etag = tag
        if self._plain_etag is None:
            raise DocumentChanged("The service does not say which version of the files it sends.")
        return self._plain_etag

    def _tag(self, form: str) -> Optional[str]:
        headers = {"Accept-Encoding": form}
        with self._transport.open(PATH, self._query, headers=headers, method="HEAD") as answer:
            return answer.headers.get("ETag")


def _received(answer: Answer) -> Iterator[bytes]:
    count = 0
    while True:
        block = answer.read(_BLOCK)
        if not block:
            break
        count += len(block)
        yield block
    if answer.length is not None and count < answer.length:
        raise NoAnswer("The transfer broke off.", was_sent=True)


def _inflated(answer: Answer) -> Iterator[bytes]:
    inflate = zlib.decompressobj(_GZIP)
    for block in _received(answer):
        while block and not inflate.eof:
            try:
                plain = inflate.decompress(block, _BLOCK)
            except zlib.error:
                raise InvalidDocument("The document is not valid gzip.") from None
            block = inflate.unconsumed_tail
            if plain:
                yield plain
    if not inflate.eof:
        raise NoAnswer("The transfer broke off.", was_sent=True)
