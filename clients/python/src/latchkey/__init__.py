"""The client of a Latchkey service: link a program with six letters, manage keys, stream files."""

from .client import Access, Latchkey
from .entry import Entry, Number
from .errors import (
    ApiError,
    CannotConnect,
    DocumentChanged,
    InvalidAnswer,
    InvalidDocument,
    LatchkeyError,
    LinkDenied,
    LinkError,
    LinkExpired,
    NoAnswer,
    OutcomeUnknown,
)
from .files import Document
from .linking import Code
from .records import Key, Me
from .transport import VERSION as __version__

__all__ = [
    "Access",
    "ApiError",
    "CannotConnect",
    "Code",
    "Document",
    "DocumentChanged",
    "Entry",
    "InvalidAnswer",
    "InvalidDocument",
    "Key",
    "Latchkey",
    "LatchkeyError",
    "LinkDenied",
    "LinkError",
    "LinkExpired",
    "Me",
    "NoAnswer",
    "Number",
    "OutcomeUnknown",
    "__version__",
]
