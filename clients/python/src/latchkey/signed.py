"""What the service signs, verified with its public keys (the contract, sections 2 and 5)."""

import json
import re
import time
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib import import_module
from secrets import token_hex
from typing import Any, Callable, Dict, List, Mapping, MutableMapping, NamedTuple, Optional, TypedDict
from urllib.parse import urlsplit

from .answer import MAX_BYTES, parsed
from .errors import ApiError, BadProof, LatchkeyError
from .records import KeyChecked
from .repeating import repeating
from .transport import Transport

#: The service's public keys, as /.well-known/jwks.json has them.
PublicKeys = Mapping[str, List[Dict[str, str]]]


class Offline(NamedTuple):
    """What a check needs that also works offline."""

    jwks: PublicKeys
    """Shipped with the program, never fetched."""
    storage: MutableMapping[str, str]
    """Keeps proofs: `shelve.open("licence")`, or anything like a dict."""


@dataclass(frozen=True)
class OfflineCheck:
    """Whether a user holds a key."""

    owned: bool
    until: datetime
    """For how long that can be verified offline."""
    is_offline: bool
    """The service could not be reached: its last response counts."""


@dataclass(frozen=True)
class User:
    """Who a validator is from."""

    id: str
    """It never changes."""
    username: str
    azp: Optional[str] = None
    """The program that made it, if it did so with a token of its own."""


class _KeySet(TypedDict):
    keys: List[Dict[str, str]]


#: Clocks of servers differ by so much, in seconds.
_SLACK = 60
#: An unknown key may have been created since: the keys are fetched again, but not for each forged validator.
_REFRESH = 60
#: Seconds that a service may take if there is a proof without it.
_HURRY = 10
_FOREVER = float("inf")


def _json_in(part: str) -> Any:
    return json.loads(_bytes_in(part))


def _bytes_in(part: str) -> bytes:
    return urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _is_signed(public: str, signature: bytes, text: bytes) -> bool:
    try:
        ed25519 = import_module("cryptography.hazmat.primitives.asymmetric.ed25519")
        invalid = import_module("cryptography.exceptions").InvalidSignature
    except ImportError:
        sentence = "Install the package cryptography, which verifies signatures: pip install 'latchkey[offline]'"
        raise ImportError(sentence) from None
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(_bytes_in(public)).verify(signature, text)
    except invalid:
        return False
    return True


class _Verifier(NamedTuple):
    """What a JWT must be, and how many seconds it may be from the future."""

    typ: str
    claims: Mapping[str, object]
    keys_for: Callable[[object], PublicKeys]
    slack: float

    def claims_of(self, jwt: object, now: float) -> Dict[str, Any]:
        """What it says. Raises BadProof unless the service signed it, it says what is expected, and is valid now."""
        try:
            head, body, signature = str(jwt).split(".")
            header = _json_in(head)
            kid = header.get("kid")
            # Other texts decode to the same signature: with blanks, padding, or other bits at the end.
            is_canonical = re.fullmatch(r"[A-Za-z0-9_-]{85}[AQgw]", signature) is not None
            is_ours = header.get("alg") == "EdDSA" and header.get("typ") == self.typ and is_canonical
        except (ValueError, AttributeError, RecursionError):
            raise BadProof("The service has not signed this.") from None
        keys = self.keys_for(kid)["keys"] if is_ours else []
        key = next((key for key in keys if key.get("kid") == kid and key.get("crv") == "Ed25519"), None)
        try:
            if key is None or not _is_signed(key["x"], _bytes_in(signature), f"{head}.{body}".encode()):
                raise BadProof("The service has not signed this.")
            claims: Dict[str, Any] = _json_in(body)
        except (ValueError, KeyError):
            raise BadProof("The service has not signed this.") from None
        for name, value in self.claims.items():
            if claims.get(name) != value:
                raise BadProof(f"What was signed has another {name}.")
        if not claims.get("exp", 0) > now:
            raise BadProof("What was signed has expired.")
        issued = claims.get("iat", _FOREVER)
        if max(issued, claims.get("nbf", issued)) > now + self.slack:
            raise BadProof("The clock is slow.")
        return claims


def _issuer_of(transport: Transport) -> str:
    """As the service names itself: in lower case, without the port that its scheme implies."""
    scheme, place = urlsplit(transport.address)[:2]
    return f"{scheme}://{place.lower()}".removesuffix(":443" if scheme == "https" else ":80")


class Validators:
    """Verifies validators with the public keys, which are fetched unless they are given."""

    def __init__(self, transport: Transport, jwks: Optional[PublicKeys]) -> None:
        self._transport = transport
        self._jwks = jwks
        self._fetched_at = _FOREVER if jwks else 0.0
        self._max_age = 0

    def who_is(self, validator: str, audience: str, now: Optional[float] = None) -> User:
        """Who a validator is from. Raises BadProof."""
        at = time.time() if now is None else now
        claims = {"iss": _issuer_of(self._transport), "aud": audience}
        said = _Verifier("validator+jwt", claims, lambda kid: self._keys_for(kid, at), _SLACK).claims_of(validator, at)
        azp = said.get("azp")
        return User(str(said.get("sub")), str(said.get("username")), azp if isinstance(azp, str) else None)

    def _keys_for(self, wanted: object, now: float) -> PublicKeys:
        is_there = self._jwks and any(key.get("kid") == wanted for key in self._jwks["keys"])
        if self._jwks and now < self._fetched_at + (self._max_age if is_there else _REFRESH):
            return self._jwks
        self._jwks = repeating(self._fetch)
        self._fetched_at = now
        return self._jwks

    def _fetch(self) -> PublicKeys:
        with self._transport.open([".well-known", "jwks.json"]) as answer:
            found = re.search(r"max-age=(\d{1,9})", answer.headers.get("Cache-Control", ""))
            self._max_age = int(found[1]) if found else 0
            keys: PublicKeys = {"keys": parsed(answer.whole(MAX_BYTES), _KeySet)["keys"]}
            return keys


class OfflineKeys:
    """Checks whether users hold keys; if the service cannot be reached, its last signed response is the result."""

    def __init__(self, transport: Transport, offline: Offline, clock: Callable[[], float] = time.time) -> None:
        self._transport = transport
        self._offline = offline
        self._clock = clock

    def check(self, username: str, key: str) -> OfflineCheck:
        """Whether a user holds a key. Raises BadProof for a response that the service has not signed."""
        claims = {"iss": _issuer_of(self._transport), "username": username, "key": key}
        name = f"latchkey:{claims['iss']}:{username}:{key}"
        stored = self._stored(name, claims)
        try:
            nonce = token_hex(16)
            proof = self._ask(username, {"key": key, "sign": nonce}, _HURRY if stored else None).get("proof", "")
            # The nonce says that it is new, whatever the clock says.
            current = self._read(proof, {**claims, "nonce": nonce}, _FOREVER)
        except LatchkeyError as error:
            # From 429 on, the service did not look at the question.
            is_refusal = isinstance(error, BadProof) or (isinstance(error, ApiError) and error.status < 429)
            if is_refusal or stored is None:
                raise
            return stored
        self._offline.storage[name] = proof
        return current

    def _stored(self, name: str, claims: Mapping[str, object]) -> Optional[OfflineCheck]:
        try:
            return self._read(self._offline.storage.get(name, ""), claims, 0)
        except BadProof:
            return None

    def _ask(self, username: str, query: Mapping[str, str], timeout: Optional[float]) -> KeyChecked:
        def attempt() -> KeyChecked:
            with self._transport.open(["keys", "check", username], query, timeout=timeout) as answer:
                return parsed(answer.whole(MAX_BYTES), KeyChecked)

        return repeating(attempt) if timeout is None else attempt()

    def _read(self, proof: str, claims: Mapping[str, object], slack: float) -> OfflineCheck:
        said = _Verifier("proof+jwt", claims, lambda _: self._offline.jwks, slack).claims_of(proof, self._clock())
        until = datetime.fromtimestamp(said["exp"], timezone.utc)
        return OfflineCheck(said.get("owned") is True, until, slack == 0)
