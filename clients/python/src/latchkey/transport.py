"""One request. The token travels in a header, and to this address only: redirects are not followed."""

import re
import socket
import ssl
import urllib.request
from http.client import HTTPException
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urljoin, urlsplit

from .answer import MAX_BYTES, Answer, parsed, refusal_of
from .errors import CannotConnect, LatchkeyError, NoAnswer
from .refusals import InvalidParameter, InvalidToken

T = TypeVar("T")

VERSION = "1.0.0"
#: No user's name and password in it, which would go into sentences.
_ADDRESS = re.compile(r"https?://(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:/[A-Za-z0-9._~/-]*)?")
_TOKEN = re.compile(r"[!-~]+")


_LEADS_ELSEWHERE = (301, 302, 303, 307, 308)


def _lasting(reason: object) -> Optional[str]:
    """The code for what asking again does not change."""
    if isinstance(reason, ssl.SSLCertVerificationError):
        return "bad_certificate"
    if isinstance(reason, socket.gaierror) and reason.errno == socket.EAI_NONAME:
        return "bad_address"
    if isinstance(reason, ssl.SSLError) and reason.reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"):
        return "invalid_answer"
    # The standard library has no word for it but this one.
    return "proxy_refused" if str(reason).startswith("Tunnel connection failed") else None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    """Sends requests to one service."""

    def __init__(self, address: str, token: Optional[str], timeout: float) -> None:
        if not _ADDRESS.fullmatch(address):
            raise ValueError("The address must be one like https://keys.example.org.")
        self.address = address.rstrip("/")
        self.token = token
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirects())

    def open(
        self,
        path: Sequence[str],
        query: Mapping[str, Optional[str]] = {},
        *,
        headers: Mapping[str, str] = {},
        taken: Tuple[int, ...] = (200,),
        method: str = "GET",
        timeout: Optional[float] = None,
    ) -> Answer:
        """
        The response, if its status is one of those `taken`. Raises the service's refusal, CannotConnect or NoAnswer.
        """
        request = urllib.request.Request(self._url(path, query), headers=self._headers(headers), method=method)
        try:
            answer = Answer(self._opener.open(request, timeout=timeout or self._timeout))
        except HTTPError as refusal:
            answer = Answer(refusal)
        except URLError as error:
            raise self._no_answer(error.reason) from None
        except (OSError, HTTPException) as error:
            raise self._no_answer(error) from None
        if answer.status in taken:
            return answer
        with answer:
            if answer.status in _LEADS_ELSEWHERE:
                raise self._redirected(request.full_url, answer.headers.get("Location", ""))
            if answer.status == 407:
                raise CannotConnect("The proxy requires a name and a password.", code="proxy_refused")
            raise refusal_of(answer)

    def ask(self, record: Callable[..., T], path: Sequence[str], query: Mapping[str, Optional[str]] = {}) -> T:
        """The JSON of a response, which is such a `record`. Raises InvalidAnswer if it is not."""
        with self.open(path, query) as answer:
            return parsed(answer.whole(MAX_BYTES), record)

    def _url(self, path: Sequence[str], query: Mapping[str, Optional[str]]) -> str:
        try:
            steps = "/".join(quote(step, safe="") for step in path)
            sent = urlencode({name: value for name, value in query.items() if value is not None})
        except UnicodeEncodeError:
            sentence = "A parameter holds half of a surrogate pair, which is no character."
            raise InvalidParameter(sentence, code="invalid_parameter", status=400) from None
        return f"{self.address}/{steps}?{sent}" if sent else f"{self.address}/{steps}"

    def _headers(self, more: Mapping[str, str]) -> Dict[str, str]:
        if self.token and not _TOKEN.fullmatch(self.token):
            raise InvalidToken("The token holds characters that no token has.", code="invalid_token", status=401)
        token = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {"User-Agent": f"latchkey-python/{VERSION}", "Accept": "application/json", **token, **more}

    def _redirected(self, asked: str, location: str) -> CannotConnect:
        try:
            target = urlsplit(urljoin(asked, location))
        except ValueError:
            target = urlsplit(asked)
        # What was asked for may be a secret.
        path = target.path.replace(urlsplit(asked).path[len(urlsplit(self.address).path) :], "")
        where = f"{target.scheme}://{target.netloc.rpartition('@')[2]}{path}"
        return CannotConnect(f"{self.address} leads to {where}.", code="redirected")

    def _no_answer(self, reason: object) -> LatchkeyError:
        code = _lasting(reason)
        if code:
            said = getattr(reason, "verify_message", "") or getattr(reason, "strerror", "") or str(reason)
            return CannotConnect(f"{self.address} cannot be asked: {said.rstrip('.')}.", code=code)
        # Only these say that no request was sent. The reason of others may name what was.
        was_sent = not isinstance(reason, (ConnectionRefusedError, socket.gaierror))
        return NoAnswer(f"{self.address} did not respond: {type(reason).__name__}.", was_sent=was_sent)
