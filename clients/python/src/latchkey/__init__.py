"""The client of a Latchkey service: link a program with six letters, manage keys, stream files."""

from .client import Access, Latchkey
from .entry import Entry, Number
from .errors import (
    ApiError,
    BadProof,
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
from .signed import Offline, OfflineCheck, PublicKeys, User
from .transport import VERSION as __version__

__all__ = [
    "Access",
    "ApiError",
    "BadProof",
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
    "Offline",
    "OfflineCheck",
    "OutcomeUnknown",
    "PublicKeys",
    "User",
    "__version__",
]
