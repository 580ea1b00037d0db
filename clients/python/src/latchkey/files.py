"""Files: everything that a user has stored, or a part of it, as a stream of entries."""

from dataclasses import replace
from typing import Iterator, Optional, overload

from .content import Content
from .entry import Entry, entries_in
from .errors import InvalidDocument
from .repeating import repeating
from .transfer import PATH, Query, Transfer
from .transport import Transport


class Document:
    """
    One version of what the user has stored, or of a part of it. Iterating fetches it, once; folders come before their
    contents.
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
    """
    What a token can do with files: read them. `under` is the path or the id of a folder: of it and everything below.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @overload
    def read(self, *, under: Optional[str] = None) -> Document: ...

    @overload
    def read(self, *, unless: Optional[str], under: Optional[str] = None) -> Optional[Document]: ...

    def read(self, *, unless: Optional[str] = None, under: Optional[str] = None) -> Optional[Document]:
        """
        The user's files, of any size, in constant memory. A broken transfer goes on where it stopped. `unless` is the
        etag of a version: None if that is still the newest. Raises NoFiles where nothing was ever stored, NoSuchEntry
        where there is no such folder, and InvalidParameter if it is a file.
        """
        transfer = self._transfer({"under": under}, unless)
        return Document(transfer) if transfer else None

    @overload
    def index(self, *, under: Optional[str] = None) -> Document: ...

    @overload
    def index(self, *, unless: Optional[str], under: Optional[str] = None) -> Optional[Document]: ...

    def index(self, *, unless: Optional[str] = None, under: Optional[str] = None) -> Optional[Document]:
        """As `read()`, without the data of files, which is not transferred: reading it raises ValueError."""
        transfer = self._transfer({"under": under, "only": "index"}, unless)
        return _Index(transfer) if transfer else None

    def get(self, *, path: Optional[str] = None, id: Optional[str] = None) -> Entry:
        """
        One file or folder, by its path (`docs/letter.txt`) or its id. Raises NoSuchEntry, and NoFiles where nothing was
        ever stored.
        """
        if (path is None) == (id is None):
            raise TypeError("get() takes either a path or an id")
        transfer = self._transfer({"path": path, "id": id}, None)
        assert transfer is not None
        with Document(transfer) as document:
            for entry in document:
                return entry
        raise InvalidDocument("The document has no entry.")

    def _transfer(self, query: Query, unless: Optional[str]) -> Optional[Transfer]:
        headers = {"Accept-Encoding": "gzip", **({"If-None-Match": unless} if unless else {})}
        answer = repeating(lambda: self._transport.open(PATH, query, headers=headers, taken=(200, 304)))
        if answer.status == 304:
            answer.__exit__()
            return None
        return Transfer(self._transport, answer, query)


class _Index(Document):
    def __iter__(self) -> Iterator[Entry]:
        return (entry if entry.is_folder else replace(entry, content=_NOTHING) for entry in self._entries)


class _Absent(Content):
    def pieces(self) -> Iterator[str]:
        raise ValueError("An index has no data of files: get() the file.")


_NOTHING = _Absent()
