import { hostileRequests } from "@/tests/support/hostile-requests";
import { accountAttacks } from "./hostile-accounts";
import type { Attack } from "./hostile-attack";
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
    run({ origin }, network) {
      request ??= bytes();
      const leaves = random(3) === 0 ? GONE_AFTER_MS : isUnfinished ? random(UNFINISHED_MS) : undefined;
      return sendBytes(origin, fromNetwork(request, network), leaves === undefined ? {} : { goneAfterMs: leaves });
    },
  };
});

const PIPELINED = 50;
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
