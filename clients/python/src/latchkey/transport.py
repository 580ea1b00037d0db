"""One request and its answer. The token travels in a header, and to this address only: redirects are not followed."""

import json
import re
import socket
import urllib.request
from http.client import HTTPException, HTTPMessage
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit

from .errors import ApiError, InvalidAnswer, NoAnswer
from .refusals import BY_CODE, InvalidParameter, InvalidToken
from .shape import fault_of

T = TypeVar("T")

VERSION = "0.1.0"
_TOKEN = re.compile(r"[!-~]+")
_MOST_ERROR_BYTES = 65_536
#: A key with its data, every character escaped, and ten thousand holders takes less.
MOST_BYTES = 2_000_000


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class Answer:
    """An answer whose body has not been read yet."""

    def __init__(self, response: Any) -> None:
        self.status: int = response.status
        self.headers: HTTPMessage = response.headers
        self._response = response
        length = self.headers.get("Content-Length", "")
        #: Bytes of the body, if the answer says how many.
        self.length: Optional[int] = int(length) if length.isdecimal() and len(length) < 19 else None

    def __enter__(self) -> "Answer":
        return self

    def __exit__(self, *_: object) -> None:
        self._response.close()

    def read(self, most: int) -> bytes:
        """At most so many of the next bytes; empty at the end. Raises NoAnswer where the connection is lost."""
        try:
            block: bytes = self._response.read(most)
        except (OSError, HTTPException, ValueError) as error:
            raise NoAnswer(f"The answer broke off: {type(error).__name__}.", was_sent=True) from None
        return block

    def whole(self, most: int) -> bytes:
        """The whole body. Raises InvalidAnswer if it is longer than `most`."""
        body = bytearray()
        while len(body) <= most:
            block = self.read(65_536)
            if not block:
                break
            body += block
        if len(body) > most:
            raise InvalidAnswer(f"The answer is longer than {most} bytes.")
        if self.length is not None and len(body) < self.length:
            raise NoAnswer("The answer broke off.", was_sent=True)
        return bytes(body)


class Transport:
    """Sends requests to one service."""

    def __init__(self, address: str, token: Optional[str], timeout: float) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or "@" in address:
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
        The answer, if its status is one of those `taken`. Raises the service's refusal, or NoAnswer.
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
            raise refusal_of(answer)

    def ask(self, record: Callable[..., T], path: Sequence[str], query: Mapping[str, Optional[str]] = {}) -> T:
        """The JSON of an answer, which is such a `record`. Raises InvalidAnswer if it is not."""
        with self.open(path, query) as answer:
            return parsed(answer.whole(MOST_BYTES), record)

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

    def _no_answer(self, reason: object) -> NoAnswer:
        # Only these say that no request was sent. The reason of others may name what was.
        was_sent = not isinstance(reason, (ConnectionRefusedError, socket.gaierror))
        return NoAnswer(f"{self.address} did not answer: {type(reason).__name__}.", was_sent=was_sent)


def parsed(body: bytes, expected: Callable[..., T]) -> T:
    """A body as JSON of the `expected` type, which is a TypedDict. Raises InvalidAnswer."""
    try:
        return checked(expected, json.loads(body))
    except (ValueError, RecursionError):
        raise InvalidAnswer("The answer is not JSON.") from None


def checked(expected: Callable[..., T], value: Any) -> T:
    """The same value. Raises InvalidAnswer if it is not of the `expected` type."""
    fault = fault_of(value, expected)
    if fault:
        raise InvalidAnswer(f"The answer is not the service's: {fault}.")
    found: T = value
    return found


def refusal_of(answer: Answer) -> ApiError:
    """The error that an answer reports; one with a code like `http_502` if it is not the service's own."""
    status, headers = answer.status, answer.headers
    try:
        body = json.loads(answer.whole(_MOST_ERROR_BYTES) or b"null")
    except (ValueError, RecursionError, InvalidAnswer, NoAnswer):
        body = None
    code, sentence = (body.get("code"), body.get("error")) if isinstance(body, dict) else (None, None)
    if not isinstance(code, str) or not isinstance(sentence, str):
        code, sentence = f"http_{status}", f"The answer has the status {status}, and is not the service's own."
    after = headers.get("Retry-After", "")
    return BY_CODE.get(code, ApiError)(
        sentence,
        code=code,
        status=status,
        retry_after=float(after) if after.isdecimal() and len(after) < 10 else None,
        request_id=headers.get("X-Request-Id"),
    )
