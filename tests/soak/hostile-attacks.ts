import { ACTION_IDS } from "@/tests/support/hostile-request";
import { hostileRequests } from "@/tests/support/hostile-requests";
import { accountAttacks } from "./hostile-accounts";
import type { Attack, Prey } from "./hostile-attack";
import { fromNetwork, sendBytes } from "./hostile-wire";
import { random } from "./household";

/** A third of them is gone before anything can be answered. */
const GONE_AFTER_MS = 200;
const UNFINISHED_MS = 5_000;

const sent: Attack[] = hostileRequests.map(({ name, bytes, isUnfinished }) => {
  let request: Buffer | undefined;
  return {
    name,
    weight: 1,
    run({ origin, actions }, network) {
      request ??= callingActions(bytes(), actions);
      const leaves = random(3) === 0 ? GONE_AFTER_MS : isUnfinished ? random(UNFINISHED_MS) : undefined;
      return sendBytes(origin, fromNetwork(request, network), leaves === undefined ? {} : { goneAfterMs: leaves });
    },
  };
});

/** The request, with the actions of this service. */
function callingActions(request: Buffer, actions: Prey["actions"]): Buffer {
  for (const kind of ["strangers", "members"] as const) {
    const at = request.indexOf(ACTION_IDS[kind]);
    if (at >= 0) request.write(actions[kind], at, "latin1");
  }
  return request;
}

const PIPELINED = 16;
const UNREAD = 1_000;
const UNREAD_MS = 5_000;
const letter = () => "ABCDEFGHJKLMNPQRSTUVWXYZ"[random(24)];
const head = (lines: string[]) => Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);

/** So many small requests on one connection, from one network. */
function pipelined(name: string, line: () => string, network?: string, headers: string[] = []): Attack {
  return {
    name,
    weight: 6,
    run: ({ origin }, own) => {
      const requests = Array.from({ length: PIPELINED }, () =>
        head([`${line()} HTTP/1.1`, "Host: localhost", `X-Forwarded-For: ${network ?? own}`, ...headers]),
      );
      return sendBytes(origin, [Buffer.concat(requests)], { answers: PIPELINED });
    },
  };
}

/** As many requests on one connection as nobody reads the responses to. */
const unread = (target: string): Attack => ({
  name: `1,000 requests for ${target} whose responses are not read`,
  weight: 2,
  run: ({ origin }, network) => {
    const request = head([`GET ${target} HTTP/1.1`, "Host: localhost", `X-Forwarded-For: ${network}`]);
    const requests = Buffer.concat(Array.from({ length: UNREAD }, () => request));
    return sendBytes(origin, [requests], { goneAfterMs: random(UNREAD_MS), isUnread: true });
  },
});

/** Ordinary requests that take some work. */
const flood = (name: string, target: string, headers: string[] = []): Attack => ({
  name,
  weight: 6,
  run: ({ origin }, network) =>
    sendBytes(origin, fromNetwork(head([`GET ${target} HTTP/1.1`, "Host: localhost", ...headers]), network)),
});
const HTML = "Accept: text/html";
const LONG = `/keys/create?price=1&auth=lk_${"a".repeat(43)}&data=${"%41".repeat(86_000)}`;

const CHANGING = [
  "/link/code",
  "/keys/create?data=a&price=1",
  "/keys/delete/a",
  "/keys/update/a?key=a",
  "/keys/revoke/a?user=a",
  "/link/user?code=KMTRWB",
];
const changing = () => CHANGING[random(CHANGING.length)] ?? "/link/code";
const chunked =
  "POST /files/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked";

const many: Attack[] = [
  pipelined(
    "guesses for codes from one network",
    () => `GET /link/user?code=${Array.from({ length: 6 }, letter).join("")}`,
    "203.0.113.7",
  ),
  pipelined("invalid tokens", () => `GET /me?auth=lk_${random(1e9)}`),
  pipelined("HEAD of what changes something", () => `HEAD ${changing()}`),
  pipelined("TRACE of what changes something", () => `TRACE ${changing()}`),
  pipelined("prefetching what changes something", () => `GET ${changing()}`, undefined, ["Sec-Purpose: prefetch"]),
  ...["/openapi.json", "/health", "/", "/client.mjs"].map(unread),
  flood("the description of the API", "/openapi.json"),
  flood("the client", "/client.mjs"),
  flood("the reference, compressed", "/docs", [HTML, "Accept-Encoding: gzip"]),
  flood("the reference for a browser with a session", "/docs", [HTML, "Cookie: next-auth.session-token=a"]),
  flood("a page to sign in", "/signin", [HTML]),
  flood("a page that is not there", "/nothing", [HTML]),
  flood("a long address with an unknown token", LONG),
  {
    name: "a body without an end",
    weight: 6,
    run: ({ origin }, network) =>
      sendBytes(origin, fromNetwork(head([chunked]), network), {
        goneAfterMs: random(UNFINISHED_MS),
        drip: Buffer.from("400\r\n".padEnd(1_029, "a").concat("\r\n")),
      }),
  },
];

/** Everything that the attackers do. */
export const ATTACKS: readonly Attack[] = [...sent, ...many, ...accountAttacks];
