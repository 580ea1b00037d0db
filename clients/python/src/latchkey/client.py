"""A client of one Latchkey service."""

from typing import Callable, Literal, Optional

from .files import Files
from .keys import Keys
from .linking import Code, link
from .records import Me, ValidatorCreated
from .repeating import repeating
from .signed import Offline, PublicKeys, User, Validators
from .transport import Transport

Access = Literal["everything", "read", "identity"]


class Latchkey:
    """
    A client of the service at `address`, with a token or, until `link()` got one, without. `timeout` is in seconds, for
    the connection and for each part of a response. `jwks` has the public keys for `who_is()`, which are else fetched,
    and `offline` what `keys.check(..., offline=True)` needs. Threads may share it.
    """

    def __init__(
        self,
        address: str,
        token: Optional[str] = None,
        *,
        timeout: float = 30.0,
        jwks: Optional[PublicKeys] = None,
        offline: Optional[Offline] = None,
    ) -> None:
        self._transport = Transport(address, token, timeout)
        self.keys = Keys(self._transport, offline)
        self.files = Files(self._transport)
        self._validators = Validators(self._transport, jwks)

    @property
    def token(self) -> Optional[str]:
        """The token in use: store it where only its user can read it."""
        return self._transport.token

    def link(
        self,
        *,
        on_code: Callable[[Code], object],
        name: Optional[str] = None,
        access: Optional[Access] = None,
        audience: Optional[str] = None,
    ) -> str:
        """
        Links this program to a user: shows a code by `on_code`, waits until the user has confirmed it in a browser, or
        the code expires, and returns the token, which this client then uses. With an `access`, the program gets a
        token of its own: `everything`, `read` (keys and files) or `identity` (the name only). `name` is what the user
        sees, and `audience` the server for which `validator()` will be called: the program then gets a token of its
        own, too. Survives lost connections. Raises LinkDenied and LinkExpired.
        """
        self._transport.token = None
        options = {"name": name, "access": access, "audience": audience}
        self._transport.token = link(self._transport, options, on_code)
        return self._transport.token

    def me(self) -> Me:
        """Whom the token belongs to. A token with the access `identity` gets `username` and `role` only."""
        return repeating(lambda: self._transport.ask(Me, ["me"]))

    def validator(self, audience: str) -> str:
        """
        A signed text, valid for five minutes, that shows who the user is to the server called `audience`. With a
        program's own token, that is the `audience` of `link()` or, without one, the program's name.
        """
        query = {"key": audience}
        return repeating(lambda: self._transport.ask(ValidatorCreated, ["generate_validator"], query))["validator"]

    def who_is(self, validator: str, audience: str) -> User:
        """
        Who a validator for this audience is from, verified with the service's public keys. Needs the package
        cryptography. Raises BadProof.
        """
        return self._validators.who_is(validator, audience)
