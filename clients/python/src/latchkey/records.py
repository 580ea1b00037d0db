"""The service's responses. Written by `npm run codegen`. Do not edit."""

from typing import Dict, List, Literal, TypedDict, Union


class _KeyUsersAlways(TypedDict):
    """What is always there."""

    time: int
    """Since when, in Unix seconds."""


class KeyUsers(_KeyUsersAlways, total=False):
    """A part of other responses."""

    until: int
    """When the access ends, in Unix seconds, if it does."""


class _KeyAlways(TypedDict):
    """What is always there."""

    key: str
    """The id."""
    id: str
    """The same id."""
    name: str
    type: Literal["standard"]
    price: float
    """A negative price means not for sale."""
    creator: str
    isCreator: bool
    """Whether the caller created the key."""
    owned: bool
    """Whether the caller holds the key."""
    owns: bool
    """The same as owned."""
    data: Union[str, None]
    """The secret, or null if the caller does not hold the key."""
    users: Dict[str, KeyUsers]
    createdAt: str
    updatedAt: str


class Key(_KeyAlways, total=False):
    """/keys/get/{id}: Returns a key. Only its holders can read its data."""

    damaged: Literal[True]
    """Only in lists and after a change: the data is null because what is stored of it cannot be read."""


class _KeyCreatedAlways(TypedDict):
    """What is always there."""

    success: Literal[True]
    status: str
    message: str
    key: str
    """The id."""
    id: str
    """The same id."""
    name: str
    type: Literal["standard"]
    price: float
    """A negative price means not for sale."""
    creator: str
    isCreator: bool
    """Whether the caller created the key."""
    owned: bool
    """Whether the caller holds the key."""
    owns: bool
    """The same as owned."""
    data: Union[str, None]
    """The secret, or null if the caller does not hold the key."""
    users: Dict[str, KeyUsers]
    createdAt: str
    updatedAt: str


class KeyCreated(_KeyCreatedAlways, total=False):
    """/keys/create: Creates a key that carries a secret string and a price."""

    damaged: Literal[True]
    """Only in lists and after a change: the data is null because what is stored of it cannot be read."""


class _KeyCheckedAlways(TypedDict):
    """What is always there."""

    owned: bool
    owns: bool
    username: str
    key: str


class KeyChecked(_KeyCheckedAlways, total=False):
    """/keys/check/{username}: Says whether a user holds a key. Needs no token."""

    until: int
    """When the access ends, in Unix seconds, if it does."""
    proof: str
    """The same, signed: a JWT (EdDSA). Only where sign was sent."""


class AccessRevoked(TypedDict):
    """/keys/revoke/{id}: Removes a user from the holders of a key. A holder may also remove themselves."""

    success: Literal[True]
    status: str
    message: str
    key: str
    user: str
    revoked: bool


class KeyDeleted(TypedDict):
    """/keys/delete/{id}: Deletes a key for everyone who holds it."""

    success: Literal[True]
    status: str
    message: str
    key: str


class _KeyUpdatedAlways(TypedDict):
    """What is always there."""

    success: Literal[True]
    status: str
    message: str
    key: str
    """The id."""
    id: str
    """The same id."""
    name: str
    type: Literal["standard"]
    price: float
    """A negative price means not for sale."""
    creator: str
    isCreator: bool
    """Whether the caller created the key."""
    owned: bool
    """Whether the caller holds the key."""
    owns: bool
    """The same as owned."""
    data: Union[str, None]
    """The secret, or null if the caller does not hold the key."""
    users: Dict[str, KeyUsers]
    createdAt: str
    updatedAt: str
    changed: bool


class KeyUpdated(_KeyUpdatedAlways, total=False):
    """/keys/update/{id}: Changes a key's data, name or price."""

    damaged: Literal[True]
    """Only in lists and after a change: the data is null because what is stored of it cannot be read."""


class _HolderAddedAlways(TypedDict):
    """What is always there."""

    success: Literal[True]
    status: str
    message: str
    key: str
    user: str
    added: bool


class HolderAdded(_HolderAddedAlways, total=False):
    """/keys/admin_add/{id}: Adds a user to the holders of a key."""

    changed: bool
    """Whether the end date of existing access changed. Only where until was sent."""
    until: int
    """The end date that was sent, in Unix seconds."""


class LinkCode(TypedDict):
    """/link/code: Creates a six-letter code for the program to show. The user enters it at the URL in the Link header.
    The program then waits at /link/status, and collects the token at /link/user."""

    code: str


class LinkStatus(TypedDict):
    """/link/status: Returns 200 with status linked once the code is approved, until its token is collected. Until then,
    and afterwards, 404 with status pending, denied, expired or collected, for the program that requested the code; for
    anyone else, and any other code, 404 with status unknown. With the header Prefer: wait=25, the response comes as
    soon as the code is no longer pending, or after 25 seconds."""

    status: Literal["linked"]


class Linked(TypedDict):
    """/link/user: Returns the token of the user who approved the code, once. Before that, and for any other code, it
    returns 404 with linked false. With the header Prefer: wait=25, the response comes as soon as there is a token, or
    it is certain that there will be none, or after 25 seconds."""

    linked: Literal[True]
    token: str


class MeFiles(TypedDict):
    """A part of other responses."""

    entries: int
    bytes: int


class MeToken(TypedDict):
    """The token of this request."""

    name: Union[str, None]
    """null for the account's token."""
    access: Literal["identity", "read", "everything"]
    expiresAt: Union[str, None]
    """null: it does not expire."""


class _MeAlways(TypedDict):
    """What is always there."""

    id: str
    """Stays the same for as long as the account exists, and is never another's."""
    username: str
    role: str


class Me(_MeAlways, total=False):
    """/me: Returns the token's user, and how much they have stored."""

    createdAt: str
    keys: int
    """How many keys the user holds."""
    files: MeFiles
    token: MeToken
    """The token of this request."""


class ValidatorCreated(TypedDict):
    """/generate_validator: Returns a signed text with which the caller shows one server who they are, without giving it
    the token."""

    validator: str
    """A JWT (EdDSA), which /validate or any library with /.well-known/jwks.json checks."""
    expires_at: int
    """In Unix seconds: 5 minutes from now."""
