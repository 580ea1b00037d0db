import type { Action } from "@/server/gate-limits";

type HostileLane = "api" | "page" | "action" | "auth" | "files" | "asset";

export interface HostileRequest {
  name: string;
  lane: HostileLane;
  /**
   * The status with which the gate itself refuses it, on the self-hosted lane; undefined if it is let through, bounded.
   */
  refused: number | undefined;
  bytes(network?: string): Buffer;
  isUnfinished: boolean;
}

interface Parts {
  headers?: string[];
  body?: string | number;
  /** The value of Content-Length, if false. */
  announced?: number;
}

const HTML = "Accept: text/html";
export const ACTION_IDS = {
  strangers: "60aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  members: "40bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
};
const KB = 1_024;
const pages = new Set(["/signup", "/link", "/files", "/keys"]);
const HOSTILE_ACTIONS = new Map<string, Action>([
  [ACTION_IDS.strangers, { bodyBytes: 4 * KB, strangersBytes: 4 * KB, arguments: 2, pages }],
  [ACTION_IDS.members, { bodyBytes: 400 * KB, strangersBytes: 4 * KB, arguments: 2, pages }],
]);
export const hostileActions = (id: string) => HOSTILE_ACTIONS.get(id);
export const ACTION = `Next-Action: ${ACTION_IDS.strangers}`;
export const KEY_ACTION = `Next-Action: ${ACTION_IDS.members}`;
export const TEXT = "Content-Type: text/plain;charset=UTF-8";
export const FORM = "Content-Type: application/x-www-form-urlencoded";
const MULTIPART = "Content-Type: multipart/form-data; boundary=b";
const SIGN_IN = "POST /api/auth/callback/credentials";

const times = (count: number, part: string | ((index: number) => string), between = "") =>
  Array.from({ length: count }, (_, index) => (typeof part === "string" ? part : part(index))).join(between);
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const form = (fields: [name: string, value: string][]) =>
  `${fields
    .map(([name, value]) => `--b\r\nContent-Disposition:form-data;name="${name}"\r\n\r\n${value}\r\n`)
    .join("")}--b--\r\n`;

function hostile(
  name: string,
  lane: HostileLane,
  refused: number | undefined,
  line: string,
  { headers = [], body, announced }: Parts = {},
): HostileRequest {
  const bytes = (network?: string) => {
    const content = typeof body === "number" ? Buffer.alloc(body, "a") : Buffer.from(body ?? "");
    const lines = [`${line} HTTP/1.1`, "Host: localhost"];
    if (network !== undefined) lines.push(`X-Forwarded-For: ${network}`);
    lines.push(...headers);
    if (body !== undefined) lines.push(`Content-Length: ${announced ?? content.length}`);
    return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), content]);
  };
  return { name, lane, refused, bytes, isUnfinished: announced !== undefined };
}

const page = (name: string, refused: number, line: string, ...headers: string[]) =>
  hostile(name, "page", refused, line, { headers: [HTML, ...headers] });
const router = (name: string, refused: number | undefined, ...headers: string[]) =>
  hostile(name, "page", refused, "GET /", { headers: ["RSC: 1", ...headers] });
const api = (name: string, refused: number | undefined, line: string, ...headers: string[]) =>
  hostile(name, "api", refused, line, { headers });
const call = (name: string, refused: number, body: string, headers = [ACTION, TEXT]) =>
  hostile(name, "action", refused, "POST /signup", { headers, body });
const stranger = (name: string, line: string, body: string | number, headers?: string[]) =>
  hostile(name, "files", 401, line, { body, headers });

/** The parameters of an address: Next compares each with all others. */
const addresses = [
  page("16,000 equal parameters of a page", 414, `GET /signin?${times(16_000, "a=1", "&")}`),
  page("4,000 separators and no parameter", 400, `GET /?${"&".repeat(4_000)}`),
  page("800 parameters that Next takes for its own", 400, `GET /?${times(800, "nxtPa=1", "&")}`),
  hostile("2,000 parameters of an asset", "asset", 400, `GET /_next/static/a.js?${times(2_000, "a=", "&")}`),
  hostile("2,000 parameters of signing in", "auth", 400, `GET /api/auth/session?${times(2_000, "a=", "&")}`),
  hostile("2,000 parameters of the files page", "files", 400, `GET /files/content?${times(2_000, "a=", "&")}`),
  api("130,000 parameters of the API", undefined, `GET /me?${times(130_000, "a", "&")}`),
  page("a path of 260,000 bytes", 414, `GET /${"a".repeat(260_000)}`),
  api("a path of 86,000 escapes of plain letters", 414, `GET /keys/get/${"%41".repeat(86_000)}`),
  page("130,000 slashes", 414, `GET ${"/".repeat(130_000)}`),
  page("a method that nobody knows", 405, "PROPFIND /"),
];

const deepState = (depth: number) => `${times(depth, '["",{"a":')}["",{}]${"}]".repeat(depth)}`;

/** Headers: cookies above all, which NextAuth and Next each read whole. */
const headers = [
  page("8,000 cookies", 431, "GET /account", `Cookie: ${times(8_000, (index) => `c${index}=1`, "; ")}`),
  page("2,000 cookies within 16 KB", 431, "GET /account", `Cookie: ${times(2_000, "a=1", "; ")}`),
  hostile("400 parts of a session's cookie", "auth", 431, "GET /api/auth/session", {
    headers: [`Cookie: ${times(400, (index) => `next-auth.session-token.${index}=a`, ";")}`],
  }),
  page("1,900 headers", 431, "GET /", ...Array.from({ length: 1_900 }, (_, index) => `X-H${index}: 1`)),
  api("1,900 headers of the API", 431, "GET /health", ...Array.from({ length: 1_900 }, (_, index) => `X-H${index}: 1`)),
  page("a header of 200,000 bytes", 431, "GET /", `Accept-Language: ${times(66_000, "en", ",")}`),
  page("100,000 forwarded addresses", 431, "GET /", `X-Forwarded-For: ${times(100_000, "1", ",")}`),
  router("a router's state of 2,000 nested segments", 431, `Next-Router-State-Tree: ${encodeURI(deepState(2_000))}`),
  router("a router's state of 400 within 8 KB", 431, `Next-Router-State-Tree: ${deepState(400)}`),
  router("a router's state that is no JSON", 400, "Next-Router-State-Tree: {"),
  router("a router's state of another shape", 400, 'Next-Router-State-Tree: ["",{"children":1}]'),
  router("two states of a router", 400, ...Array<string>(2).fill("Next-Router-State-Tree: %5B%22%22%2C%7B%7D%5D")),
  router("an address of the router that is none", undefined, `Next-Url: ${"/(.)".repeat(500)}`),
];

/** 354 KB within the depth and the parts of a call: React's decoder took the event loop for a second. */
export const MANY_VALUES = `[${times(6_000, nested(29), ",")}]`;
export const MANY_REFERENCES = form([
  ["0", `[${times(1_500, '"$K1"', ",")}]`],
  ...Array.from({ length: 59 }, (_, index): [string, string] => [`_1_${index + 1}`, "a"]),
]);

const strangers = [
  hostile("174,000 nested values to an action with a key's data", "action", 401, "POST /keys", {
    headers: [KEY_ACTION, TEXT],
    body: MANY_VALUES,
  }),
  hostile("references of an action to a form of 60 fields", "action", 401, "POST /keys", {
    headers: [KEY_ACTION, MULTIPART],
    body: MANY_REFERENCES,
  }),
  stranger("2 MB to an import of nobody's", "POST /files/import", 2_000_000, ["Content-Type: application/json"]),
  stranger("4 MB to an upload of nobody's", "PUT /files/uploads", 4_000_000),
  stranger("4 MB to a part of nobody's upload", "PUT /files/uploads/a?offset=0", 4_000_000, [
    "Cookie: next-auth.session-token=eyJhbGciOiJkaXIi.a.b.c.d",
  ]),
  stranger("4 MB of small files of nobody's", "PUT /files/uploads/together", 4_000_000),
  stranger("60 KB of ids to an archive of nobody's", "POST /files/archive", `[${times(15_000, '"a"', ",")}]`, [
    "Content-Type: application/json",
  ]),
];

/** Next would send each to this service itself, once more, and wait for that. */
const elsewhere = [
  "/",
  "/docs",
  "/docs/",
  "/signup/more",
  "/nothing-here",
  "/admin",
  "/client.mjs",
  "/api/auth/signin",
].map((path) =>
  hostile(`a call of another page's action at ${path}`, "action", 404, `POST ${path}`, {
    headers: [HTML, ACTION, TEXT],
    body: '["x"]',
  }),
);

const FIELDS = times(1_000, "a=", "&");
const bodies = [
  call("60 KB of a recovery code", 413, JSON.stringify([{ through: "code", username: "a", code: "A".repeat(60_000) }])),
  call("2,700 values to an action within 4 KB", 400, `[${times(1_350, "[]", ",")}]`),
  ...["$@1", "$1:a", "$h1", "$B1", "$r1", "$X1", "$Q1", "$A1", "$T", "$n1"].map((reference) =>
    call(`a call that refers to ${reference}`, 400, JSON.stringify([reference])),
  ),
  ...["{", "null", "{}", '"a"'].map((body) => call(`a call with the arguments ${body}`, 400, body)),
  call("a call with a hundred arguments", 400, JSON.stringify(Array(100).fill("a"))),
  call("a call whose form brings a file", 400, form([['0"; filename="a', "[]"]]), [ACTION, MULTIPART]),
  call("a call of an action that does not exist", 404, "[]", ["Next-Action: 7f00000000000000000000000000000000000000"]),
  ...["http://evil.example", "null", "a"].map((origin) =>
    call(`a call from a page of ${origin}`, 403, "[]", [ACTION, TEXT, `Origin: ${origin}`]),
  ),
  call("800 KB of nested brackets to an action", 413, nested(400_000)),
  call("4 KB of nested brackets to an action", 400, nested(2_000)),
  call("4 KB of nested objects to an action", 400, `${'{"a":'.repeat(600)}1${"}".repeat(600)}`),
  call("70 parts to an action", 400, form(Array.from({ length: 70 }, (_, n) => [String(n), "1"])), [ACTION, MULTIPART]),
  call("a form of 1,000 fields to an action", 415, FIELDS, [ACTION, FORM]),
  hostile("a text to sign in", "auth", 415, SIGN_IN, { headers: [TEXT], body: "a" }),
  hostile("a form of 1,000 fields to sign in", "auth", 400, SIGN_IN, { headers: [FORM], body: FIELDS }),
  hostile("30 KB to sign in", "auth", 413, SIGN_IN, { headers: [FORM], body: 30_000 }),
  hostile("10 MB to a page", "page", 405, "POST /", { headers: [HTML], body: 10_000_000 }),
  hostile("a body of a GET of a page", "page", 413, "GET /", { headers: [HTML], body: 1_000_000 }),
  hostile("10 MB to an upload of nobody's", "files", 413, "PUT /files/uploads", { body: 10_000_000 }),
  hostile("10 MB to the API", "api", undefined, "POST /health", { body: 10_000_000 }),
];

const CUT_OFF = { body: 3_000, announced: 4_000 };
const unfinished = [
  hostile("an unfinished body to a page", "page", 405, "POST /", { headers: [HTML], body: "a", announced: 10_000_000 }),
  hostile("an unfinished body to an action", "action", undefined, "POST /signup", {
    headers: [ACTION, TEXT],
    ...CUT_OFF,
  }),
  hostile("an unfinished body to sign in", "auth", undefined, SIGN_IN, { headers: [FORM], ...CUT_OFF }),
  hostile("an unfinished part of an upload of nobody's", "files", 401, "PUT /files/uploads", {
    body: 1_000_000,
    announced: 4_000_000,
  }),
];

export const hostileRequests: readonly HostileRequest[] = [
  addresses,
  headers,
  strangers,
  elsewhere,
  bodies,
  unfinished,
].flat();
