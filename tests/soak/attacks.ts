import { connect } from "node:net";
import { idOf } from "@/tests/support/documents";
import { ACTION_IDS, hostileRequests, MANY_REFERENCES, MANY_VALUES } from "@/tests/support/hostile-requests";
import { sendTo } from "@/tests/support/request";
import { cookiesOf } from "@/tests/support/user";
import { anyOf, random } from "./household";

/** What the attackers know of the service. Secrets are those of accounts made for them. */
export interface Prey {
  origin: string;
  /** The cookies of a hostile account that has stored a large document, and how many entries that has. */
  hoarder: { cookies: string; entries: number };
  /** The numbers of the actions that they call: by name, one of strangers', and one with a key's data. */
  actions: { remove: string; enter: string; strangers: string; members: string };
}

/** The status of an answer, the sender's going away, a cut connection, or nothing for a long time. */
type Ending = number | "gone" | "cut" | "silent";

interface Attack {
  name: string;
  weight: number;
  /** `network` is one of the attacker's own. */
  run(prey: Prey, network: string): Promise<Ending[]>;
}

interface Sending {
  /** How many answers are waited for. */
  answers?: number;
  /** The sender is gone after so long, whatever came. */
  goneAfterMs?: number;
  /** Is sent over and over behind the rest, every 100 ms, until the sender goes. */
  drip?: Buffer;
  /** Nothing of the answers is read. */
  isUnread?: true;
}

const PATIENCE_MS = 20_000;
const DRIP_MS = 100;
const UNFINISHED_MS = 5_000;
/** A third of the hostile requests is gone before anything can be answered. */
const GONE_AFTER_MS = 200;
const PIPELINED = 16;
const UNREAD = 1_000;
/** Listings that one attacker opens at once, and closes after so long. */
const LISTINGS = 40;
const CLOSED_AFTER_MS = 50;
const DELETED = 1_000;
const HTML = "Accept: text/html";

/** Sends bytes on a connection of its own, reads the status lines of what is answered, and closes it. */
function sendBytes(origin: string, parts: Buffer[], how: Sending = {}): Promise<Ending[]> {
  const { answers = 1, goneAfterMs, drip, isUnread } = how;
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const endings: Ending[] = [];
    let rest = "";
    const socket = connect(Number(port), hostname);
    const dripping = drip && setInterval(() => socket.writable && socket.write(drip), DRIP_MS);
    const end = (ending?: Ending) => {
      if (ending !== undefined) endings.push(ending);
      clearTimeout(timer);
      clearInterval(dripping);
      socket.destroy();
      resolve(endings);
    };
    const timer = setTimeout(() => end(goneAfterMs === undefined ? "silent" : "gone"), goneAfterMs ?? PATIENCE_MS);
    socket.on("error", () => {});
    socket.once("close", () => end(endings.length < answers ? "cut" : undefined));
    if (isUnread) socket.pause();
    else
      socket.on("data", (chunk: Buffer) => {
        const text = rest + chunk.toString("latin1");
        for (const [, status] of text.matchAll(/HTTP\/1\.1 ([2-5]\d\d) /g)) endings.push(Number(status));
        // A status line may come in two chunks.
        rest = /HTTP\/1\.1 .{0,3}$|H[TP/1.]{0,8}$/.exec(text)?.[0] ?? "";
        if (endings.length >= answers) end();
      });
    for (const part of parts) socket.write(part);
  });
}

/** A request from a network. */
function head(network: string, line: string, headers: string[] = [], body = "", host = "localhost"): Buffer {
  const length = body ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
  const lines = [`${line} HTTP/1.1`, `Host: ${host}`, `X-Forwarded-For: ${network}`, ...headers, ...length];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

/** The request as it would come from `network`: the header is put behind the first line. */
function fromNetwork(request: Buffer, network: string): Buffer[] {
  const line = request.indexOf("\r\n") + 2;
  return [request.subarray(0, line), Buffer.from(`X-Forwarded-For: ${network}\r\n`), request.subarray(line)];
}

const sent: Attack[] = hostileRequests.map(({ name, bytes, isUnfinished }) => {
  let request: Buffer | undefined;
  return {
    name,
    weight: 1,
    run({ origin, actions }, network) {
      request ??= callingActions(bytes(), actions);
      const goneAfterMs = random(3) === 0 ? GONE_AFTER_MS : isUnfinished ? random(UNFINISHED_MS) : undefined;
      return sendBytes(origin, fromNetwork(request, network), { goneAfterMs });
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

/** So many small requests on one connection, from one network. */
const pipelined = (name: string, line: () => string, fixed?: string, headers: string[] = []): Attack => ({
  name,
  weight: 6,
  run({ origin }, network) {
    const requests = Array.from({ length: PIPELINED }, () => head(fixed ?? network, line(), headers));
    return sendBytes(origin, [Buffer.concat(requests)], { answers: PIPELINED });
  },
});

/** As many requests on one connection as nobody reads the responses to. */
const unread = (target: string): Attack => ({
  name: `1,000 requests for ${target} whose responses are not read`,
  weight: 2,
  run({ origin }, network) {
    const requests = Array<Buffer>(UNREAD).fill(head(network, `GET ${target}`));
    return sendBytes(origin, [Buffer.concat(requests)], { goneAfterMs: random(UNFINISHED_MS), isUnread: true });
  },
});

/** Ordinary requests that take some work. */
const flood = (name: string, target: string, headers: string[] = []): Attack => ({
  name,
  weight: 6,
  run: ({ origin }, network) => sendBytes(origin, [head(network, `GET ${target}`, headers)]),
});

const letters = () => Array.from({ length: 6 }, () => anyOf("ABCDEFGHJKLMNPQRSTUVWXYZ")).join("");
const CHANGING =
  "/link/code /keys/create?data=a&price=1 /keys/delete/a /keys/update/a?key=a /keys/revoke/a?user=a " +
  "/link/user?code=KMTRWB";
const changing = () => anyOf(CHANGING.split(" "));

const many: Attack[] = [
  pipelined("guesses for codes from one network", () => `GET /link/user?code=${letters()}`, "203.0.113.7"),
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
  flood(
    "a long address with an unknown token",
    `/keys/create?price=1&auth=lk_${"a".repeat(43)}&data=${"%41".repeat(86_000)}`,
  ),
  {
    name: "a body without an end",
    weight: 6,
    run({ origin }, network) {
      const chunked = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
      const drip = Buffer.from("400\r\n".padEnd(1_029, "a").concat("\r\n"));
      const goneAfterMs = random(UNFINISHED_MS);
      return sendBytes(origin, [head(network, "POST /files/import", chunked)], { goneAfterMs, drip });
    },
  },
];

/** One request of a browser that is signed in, as it goes over the wire. */
const asked = ({ origin, hoarder }: Prey, network: string, line: string, headers: string[] = [], body = "") =>
  head(
    network,
    line,
    [`Origin: ${origin}`, `Cookie: ${hoarder.cookies}`, HTML, ...headers],
    body,
    new URL(origin).host,
  );

/** A call of an action, with a text or a form. */
const called = (prey: Prey, network: string, page: string, action: string, body: string) => {
  const type = body.startsWith("--b") ? "multipart/form-data; boundary=b" : "text/plain;charset=UTF-8";
  const headers = [`Next-Action: ${action}`, `Content-Type: ${type}`];
  return sendBytes(prey.origin, [asked(prey, network, `POST ${page}`, headers, body)]);
};

/** Cursors that pages of this sort were seen to lead to. */
const cursors = new Map<string, string>();

async function listings(prey: Prey, network: string): Promise<Ending[]> {
  const view = `sort=${anyOf(["name", "type", "size", "edited"])}${random(2) ? "&order=descending" : ""}`;
  const target = () => `/files?${view}&at=${cursors.get(view) ?? "last"}`;
  const open = () => {
    const filter = random(4) === 0 ? "&filter=none" : "";
    const request = asked(prey, network, `GET ${target()}${filter}`);
    return sendBytes(prey.origin, [request], { goneAfterMs: random(CLOSED_AFTER_MS) });
  };
  const endings = (await Promise.all(Array.from({ length: LISTINGS }, open))).flat();
  if (random(4)) return endings;
  const { status, text } = await sendTo(prey.origin, target(), { network, headers: { Cookie: prey.hoarder.cookies } });
  const deeper = /[?&;]at=([\w-]{20,700})/.exec(text)?.[1];
  if (deeper) cursors.set(view, deeper);
  return [...endings, status];
}

function deletion(prey: Prey, network: string): Promise<Ending[]> {
  const from = 2 + random(prey.hoarder.entries - DELETED);
  const ids = Array.from({ length: DELETED }, (_, index) => idOf(from + index));
  // Most name one that is not there, after all others were looked up: the document lasts until the end.
  if (random(10)) ids[DELETED - 1] = "f".repeat(32);
  return called(prey, network, "/files", prey.actions.remove, JSON.stringify([ids]));
}

function entering(prey: Prey, network: string): Promise<Ending[]> {
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const body = `${part("_1_code", letters())}${part("0", '[{"entry":"","error":""},"$K1"]')}--b--\r\n`;
  return called(prey, network, "/link", prey.actions.enter, body);
}

/** One form serves for all: what is in it is a browser's, not a person's. */
let form: Promise<{ Cookie: string; csrfToken: string }> | undefined;

async function wrongPassword({ origin }: Prey): Promise<Ending[]> {
  form ??= sendTo(origin, "/api/auth/csrf", { network: "198.51.100.9" }).then((answer) => {
    return { Cookie: cookiesOf(answer), csrfToken: String(answer.body?.csrfToken) };
  });
  const { Cookie, csrfToken } = await form;
  const about = { csrfToken, username: `nobody${random(1e6)}`, password: `wrong ${random(1e9)}`, json: "true" };
  const body = new URLSearchParams(about).toString();
  const type = { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": String(body.length) };
  const network = `2001:db8:7:${random(65_536).toString(16)}::1`;
  const asking = { method: "POST", headers: { Cookie, Origin: origin, ...type }, body, network };
  return [(await sendTo(origin, "/api/auth/callback/credentials", asking)).status];
}

function drippingImport(prey: Prey, network: string): Promise<Ending[]> {
  const headers = ["Content-Type: application/json", "Content-Length: 10000000"];
  const dripping = { goneAfterMs: random(3 * UNFINISHED_MS), drip: Buffer.from(" ") };
  return sendBytes(prey.origin, [asked(prey, network, "POST /files/import", headers), Buffer.from("[")], dripping);
}

/** What takes an account, or plays for one. */
const ofAccounts: Attack[] = [
  { name: "40 listings opened and closed at once", weight: 6, run: listings },
  { name: "deleting 1,000 entries", weight: 3, run: deletion },
  // Longer than a stranger's body is read of somebody who is signed in, and refused before it is decoded.
  ...[
    { name: "174,000 nested values", weight: 6, body: MANY_VALUES },
    { name: "references to a form of 60 fields", weight: 3, body: MANY_REFERENCES },
  ].map(({ body, ...attack }) => ({
    ...attack,
    run: (prey: Prey, network: string) => called(prey, network, "/keys", prey.actions.members, body),
  })),
  { name: "entering codes", weight: 6, run: entering },
  { name: "wrong passwords over the networks of one /48", weight: 12, run: wrongPassword },
  { name: "a dripping import", weight: 6, run: drippingImport },
];

/** Everything that the attackers do. */
export const ATTACKS: readonly Attack[] = [...sent, ...many, ...ofAccounts];
