"""The files and folders of a document: 14 values each (the contract, section 3)."""

import re
from dataclasses import dataclass
from typing import Any, Iterator, List, Tuple, Union

from .content import Content
from .errors import InvalidDocument
from .values import Values

#: What documents of other programs have in place of a number, too.
Number = Union[int, float, str, None]
_FOLDER = ".folder"
_NUMBER = (int, float, str, type(None))
_ID = re.compile(r"[!#-\[\]-~]{1,64}")
_LISTED = re.compile(r'\s*"([!#-\[\]-~]{1,64})"\s*')
#: The values by name, and what each may be. Nobody uses the fifth and the eighth.
_VALUES: "List[Tuple[str, Tuple[type, ...]]]" = [
    ("type", (str,)),
    ("name", (str,)),
    ("location", (str,)),
    ("data", ()),
    ("value 5", ()),
    ("x", _NUMBER),
    ("y", _NUMBER),
    ("value 8", ()),
    ("created", _NUMBER),
    ("edited", _NUMBER),
    ("icon", ()),
    ("size", _NUMBER),
    ("permissions", (list, str, type(None))),
    ("id", (str,)),
]


@dataclass(frozen=True)
class Entry:
    """A file or a folder. Imported values are as they arrived: a number may be a string or None."""

    type: str
    """`.txt`, `.png` and the like, or `.folder`."""
    name: str
    """Without the extension."""
    location: str
    """The path of its folder: `origin/(c) users/alice/docs`."""
    x: Number
    y: Number
    created: Number
    """In Unix milliseconds."""
    edited: Number
    icon: Any
    size: Number
    permissions: Union[List[Any], str, None]
    id: str
    content: Content

    @property
    def is_folder(self) -> bool:
        return self.type == _FOLDER

    def data(self) -> str:
        """The fourth value, as a string or as JSON text: all of it, in memory."""
        return self.content.text()

    def chunks(self) -> Iterator[bytes]:
        """The contents of a file, as its user sees them: a data: URL is decoded. Of any length, in constant memory."""
        return self.content.bytes()

    def children(self) -> Iterator[str]:
        """The ids of a folder's children. Raises InvalidDocument if its data is no list of ids."""
        rest, is_first = "", True
        for piece in self.content.pieces():
            *items, rest = (rest + piece).split(",")
            for item in items:
                yield _listed(item, is_first=is_first)
                is_first = False
            if len(rest) > 1_000:
                raise InvalidDocument(f"The folder {self.id} has no list of ids.")
        if is_first and rest.strip() in ("", "null", "[]"):
            return
        yield _listed(rest, is_first=is_first, is_last=True)


def _listed(text: str, *, is_first: bool, is_last: bool = False) -> str:
    item = text.strip()
    begin, end = (1 if is_first else 0), (-1 if is_last else None)
    if (not is_first or item[:1] == "[") and (not is_last or item[-1:] == "]"):
        match = _LISTED.fullmatch(item[begin:end])
        if match:
            return match[1]
    raise InvalidDocument("A folder's data is not a list of ids.")


def entries_in(blocks: Iterator[bytes]) -> Iterator[Entry]:
    """The entries of a document that arrives in blocks. Raises InvalidDocument, which names the entry."""
    values = Values(blocks)
    number = 0
    while True:
        read: "dict[str, Any]" = {}
        try:
            for position, (name, types) in enumerate(_VALUES):
                if not values.has_more():
                    if position:
                        raise InvalidDocument("it ends within an entry")
                    return
                read[name] = _content(values, read["type"]) if name == "data" else _value(values, name, types)
        except InvalidDocument as error:
            at = list(_VALUES)[len(read)][0] if len(read) < len(_VALUES) else "id"
            raise InvalidDocument(f"Entry {number + 1}, {at}: {error}.") from None
        number += 1
        yield Entry(content=read.pop("data"), **{name: read[name] for name in read if not name.startswith("value ")})


def _value(values: Values, name: str, types: "Tuple[type, ...]") -> Any:
    value = values.value()
    # To Python, true is a number.
    if types and (not isinstance(value, types) or isinstance(value, bool)):
        raise InvalidDocument("the value is of the wrong type")
    if name == "id" and not _ID.fullmatch(value):
        raise InvalidDocument("the value is no id")
    return value


def _content(values: Values, entry_type: str) -> Content:
    kind, content = values.content()
    if entry_type == _FOLDER and kind not in (str, list, type(None)):
        raise InvalidDocument("the value is of the wrong type")
    return content
