"""Files: everything that a user has stored, as a stream of entries."""

from typing import Iterator, Optional, overload

from .entry import Entry, entries_in
from .repeating import repeating
from .transfer import PATH, Transfer
from .transport import Transport


class Document:
    """
    One version of everything that the user has stored. Iterating fetches it, once; folders come before their contents.
    """

    def __init__(self, transfer: Transfer) -> None:
        self._transfer = transfer
        self.etag = transfer.etag
        """Names this version: pass it to `read()` next time."""
        self._entries = entries_in(transfer.blocks())

    def __iter__(self) -> Iterator[Entry]:
        return self._entries

    def __enter__(self) -> "Document":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the transfer. Needed only where not all entries are read."""
        self._transfer.close()


class Files:
    """What a token can do with files: read them."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @overload
    def read(self) -> Document: ...

    @overload
    def read(self, *, unless: Optional[str]) -> Optional[Document]: ...

    def read(self, *, unless: Optional[str] = None) -> Optional[Document]:
        """
        The user's files, of any size, in constant memory. A broken transfer goes on where it stopped. `unless` is the
        etag of a version: None if that is still the newest. Raises NoFiles where nothing was ever stored.
        """
        headers = {"Accept-Encoding": "gzip", **({"If-None-Match": unless} if unless else {})}
        answer = repeating(lambda: self._transport.open(PATH, headers=headers, taken=(200, 304)))
        if answer.status == 304:
            answer.__exit__()
            return None
        return Document(Transfer(self._transport, answer))
