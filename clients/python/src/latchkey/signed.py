"""What the service signs, verified with its public keys (the contract, sections 2 and 5)."""

import json
import re
import time
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib import import_module
from secrets import token_hex
from typing import Any, Callable, Dict, List, Mapping, MutableMapping, NamedTuple, Optional, Tuple, TypedDict
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
    """Shipped with the program, never fetched. Keys that follow are learned from what one of these has signed."""
    storage: MutableMapping[str, str]
    """Keeps proofs: `shelve.open("licence")`, or anything like a dict."""


@dataclass(frozen=True)
class OfflineCheck:
    """Whether a user holds a key."""

    owned: bool
    until: datetime
    """For how long that can be verified offline, by this machine's clock."""
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
    """What a JWT must be."""

    typ: str
    claims: Mapping[str, object]
    keys_for: Callable[[object], PublicKeys]

    def claims_of(self, jwt: object) -> Dict[str, Any]:
        """What it says. Raises BadProof unless the service signed it, and it says what is expected."""
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
        return claims


_Period = Tuple[float, float]


def _period_of(claims: Mapping[str, Any]) -> _Period:
    """From when until when it is valid, in seconds."""
    issued = claims.get("iat", _FOREVER)
    return max(issued, claims.get("nbf", issued)), claims.get("exp", 0)


def _why_not(now: float, *periods: _Period) -> str:
    """Why it is the time of none of these periods; "": it is."""
    if any(begin <= now < end for begin, end in periods):
        return ""
    return "The clock is slow" if any(now < end for _, end in periods) else "What was signed has expired"


def _periods_of(proof: Mapping[str, Any]) -> List[_Period]:
    """
    When a proof counts offline, by this machine's clock: as the service says; and from when it was asked for, if that
    clock was wrong and has gone on since. The nonce ends with that time, so it is signed, too.
    """
    begin, end = _period_of(proof)
    asked = re.search(r"\.([0-9]{1,12})$", str(proof.get("nonce")))
    return [(begin, end)] + ([(float(asked[1]), float(asked[1]) + end - begin)] if asked else [])


def _issuer_of(transport: Transport) -> str:
    """As the service names itself: in lower case, without the port that its scheme implies."""
    scheme, place = urlsplit(transport.address)[:2]
    return f"{scheme}://{place.lower()}".removesuffix(":443" if scheme == "https" else ":80")


class Validators:
    """Verifies validators with the public keys, which are fetched unless they are given, or for one that is not."""

    def __init__(self, transport: Transport, jwks: Optional[PublicKeys]) -> None:
        self._transport = transport
        self._jwks = jwks
        self._tried_at = self._fetched_at = 0.0
        self._max_age = _FOREVER if jwks else 0.0

    def who_is(self, validator: str, audience: str, now: Optional[float] = None) -> User:
        """Who a validator is from. Raises BadProof."""
        at = time.time() if now is None else now
        claims = {"iss": _issuer_of(self._transport), "aud": audience}
        said = _Verifier("validator+jwt", claims, lambda kid: self._keys_for(kid, at)).claims_of(validator)
        begin, end = _period_of(said)
        why_not = _why_not(at, (begin - _SLACK, end))
        if why_not:
            raise BadProof(f"{why_not}.")
        azp = said.get("azp")
        return User(str(said.get("sub")), str(said.get("username")), azp if isinstance(azp, str) else None)

    def _keys_for(self, wanted: object, now: float) -> PublicKeys:
        is_there = self._jwks and any(key.get("kid") == wanted for key in self._jwks["keys"])
        if self._jwks and now < (self._fetched_at + self._max_age if is_there else self._tried_at + _REFRESH):
            return self._jwks
        self._tried_at = now
        self._jwks = repeating(self._fetch)
        self._fetched_at = now
        return self._jwks

    def _fetch(self) -> PublicKeys:
        with self._transport.open([".well-known", "jwks.json"]) as answer:
            found = re.search(r"max-age=(\d{1,9})", answer.headers.get("Cache-Control", ""))
            self._max_age = int(found[1]) if found else 0
            keys: PublicKeys = {"keys": parsed(answer.whole(MAX_BYTES), _KeySet)["keys"]}
            return keys


class _Proofs:
    """Proofs of one service, and the keys with which it may have signed them."""

    def __init__(self, issuer: str, jwks: PublicKeys) -> None:
        self._issuer = issuer
        self._keys = list(jwks["keys"])
        #: Those that named keys which the program was not shipped with.
        self.teachers: List[str] = []

    def read(self, proof: str, more: Mapping[str, object]) -> Dict[str, Any]:
        """What a proof says, and learns the keys that it names. Raises BadProof."""
        claims: Dict[str, object] = {"iss": self._issuer, **more}
        said = _Verifier("proof+jwt", claims, lambda _: {"keys": self._keys}).claims_of(proof)
        known = {key.get("kid") for key in self._keys}
        named = [key for key in said.get("keys", []) if key.get("kid") not in known]
        if named:
            self.teachers.append(proof)
        self._keys += named
        return said

    def read_stored(self, stored: str, more: Mapping[str, object]) -> Optional[Dict[str, Any]]:
        """The same of the last one in a stored text, behind `teachers`; None if it does not count."""
        *teachers, last = stored.split(" ")
        for teacher in teachers:
            self._or_none(teacher, {})
        return self._or_none(last, more)

    def _or_none(self, proof: str, more: Mapping[str, object]) -> Optional[Dict[str, Any]]:
        try:
            return self.read(proof, more)
        except BadProof:
            return None


class OfflineKeys:
    """Checks whether users hold keys; if the service cannot be reached, its last signed response is the result."""

    def __init__(self, transport: Transport, offline: Offline, clock: Callable[[], float] = time.time) -> None:
        self._transport = transport
        self._offline = offline
        self._clock = clock

    def check(self, username: str, key: str) -> OfflineCheck:
        """Whether a user holds a key. Raises BadProof for a response that the service has not signed."""
        issuer = _issuer_of(self._transport)
        claims = {"username": username, "key": key}
        name = f"latchkey:{issuer}:{username}:{key}"
        # What names a key counts for every question to this service.
        name_of_teachers = f"latchkey:{issuer}:keys"
        proofs = _Proofs(issuer, self._offline.jwks)
        proofs.read_stored(self._offline.storage.get(name_of_teachers, ""), {})
        last = proofs.read_stored(self._offline.storage.get(name, ""), claims)
        why_not = _why_not(self._clock(), *_periods_of(last)) if last else ""
        stored = _result(last, is_offline=True) if last and not why_not else None
        try:
            # With the time by which `_periods_of` knows how wrong this clock is.
            nonce = f"{token_hex(16)}.{int(self._clock())}"
            proof = self._ask(username, {"key": key, "sign": nonce}, _HURRY if stored else None).get("proof", "")
            current = proofs.read(proof, {**claims, "nonce": nonce})
            # The nonce says that it is new, whatever the clock says.
            begin, end = _period_of(current)
            if not begin < end:
                raise BadProof("What was signed has expired.")
        except LatchkeyError as error:
            # From 429 on, the service did not look at the question.
            if isinstance(error, BadProof) or (isinstance(error, ApiError) and error.status < 429):
                raise
            if stored is not None:
                return stored
            if why_not:
                error.args = (f"{error} The stored response does not count: {why_not}.",)
            raise
        teachers = list(dict.fromkeys(proofs.teachers))
        if teachers:
            self._offline.storage[name_of_teachers] = " ".join(teachers)
        # With them, because a storage may have room for one only.
        self._offline.storage[name] = " ".join(dict.fromkeys([*teachers, proof]))
        return _result(current, is_offline=False)

    def _ask(self, username: str, query: Mapping[str, str], timeout: Optional[float]) -> KeyChecked:
        def attempt() -> KeyChecked:
            with self._transport.open(["keys", "check", username], query, timeout=timeout) as answer:
                return parsed(answer.whole(MAX_BYTES), KeyChecked)

        return repeating(attempt) if timeout is None else attempt()


def _result(said: Mapping[str, Any], *, is_offline: bool) -> OfflineCheck:
    until = max(end for _, end in _periods_of(said))
    return OfflineCheck(said.get("owned") is True, datetime.fromtimestamp(until, timezone.utc), is_offline)
