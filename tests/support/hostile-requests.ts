/** Whom a request is meant to reach, as the gate sorts them (docs/gate.md). */
export type HostileLane = "api" | "page" | "action" | "auth" | "files" | "asset";

/** A request that was seen to stop or to fill the service, or is of the same kind. */
export interface HostileRequest {
  name: string;
  lane: HostileLane;
  /** What the gate answers it by itself, on the self-hosted lane; undefined where it is let through, bounded. */
  refused: number | undefined;
  /** The whole request as it is sent, from a network of the sender's choice. */
  bytes(network?: string): Buffer;
  /** It never sends the rest of what it announced. */
  isUnfinished?: true;
}

interface Parts {
  method?: string;
  target: string;
  headers?: string[];
  body?: string | Buffer;
  /** What Content-Length says, where that is not true. */
  announced?: number;
}

const HTML = "Accept: text/html";
const ACTION = "Next-Action: 7f00000000000000000000000000000000000000";
const TEXT = "Content-Type: text/plain;charset=UTF-8";
const FORM = "Content-Type: application/x-www-form-urlencoded";

const times = (count: number, part: (index: number) => string, between = "") => Array.from({ length: count }, (_, index) => part(index)).join(between);

function hostile(name: string, lane: HostileLane, refused: number | undefined, parts: () => Parts, isUnfinished?: true): HostileRequest {
  const bytes = (network?: string) => {
    const { method = "GET", target, headers = [], body, announced } = parts();
    const from = network === undefined ? [] : [`X-Forwarded-For: ${network}`];
    const length = announced ?? (body === undefined ? undefined : Buffer.byteLength(body));
    const lines = ["Host: a.example", ...from, ...headers, ...(length === undefined ? [] : [`Content-Length: ${length}`])];
    return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`), Buffer.from(body ?? "")]);
  };
  return { name, lane, refused, bytes, ...(isUnfinished && { isUnfinished }) };
}

/** The parameters of an address: each is one of Next's work with all others. */
const addresses: HostileRequest[] = [
  hostile("16,000 equal parameters of a page", "page", 414, () => ({ target: `/signin?${times(16_000, () => "a=1", "&")}`, headers: [HTML] })),
  hostile("62,500 equal parameters of a page", "page", 414, () => ({ target: `/signin?${times(62_500, () => "a=1", "&")}`, headers: [HTML] })),
  hostile("4,000 parameters of one letter", "page", 400, () => ({ target: `/signin?${times(4_000, () => "a", "&")}`, headers: [HTML] })),
  hostile("4,000 separators and no parameter", "page", 400, () => ({ target: `/?${"&".repeat(4_000)}`, headers: [HTML] })),
  hostile("800 parameters that Next takes for its own", "page", 400, () => ({ target: `/?${times(800, () => "nxtPa=1", "&")}`, headers: [HTML] })),
  hostile("700 different parameters", "page", 400, () => ({ target: `/?${times(700, (index) => `p${index}=1`, "&")}`, headers: [HTML] })),
  hostile("a page's data with 2,000 parameters", "page", 400, () => ({ target: `/?${times(2_000, () => "b=", "&")}`, headers: ["RSC: 1"] })),
  hostile("2,000 parameters of an unknown page", "page", 400, () => ({ target: `/nothing?${times(2_000, () => "a=", "&")}`, headers: [HTML] })),
  hostile("2,000 parameters of an asset", "asset", 400, () => ({ target: `/_next/static/a.js?${times(2_000, () => "a=", "&")}` })),
  hostile("2,000 parameters of signing in", "auth", 400, () => ({ target: `/api/auth/session?${times(2_000, () => "a=", "&")}` })),
  hostile("2,000 parameters of the files page", "files", 400, () => ({ target: `/files/content?${times(2_000, () => "a=", "&")}` })),
  hostile("130,000 parameters of the API", "api", undefined, () => ({ target: `/me?${times(130_000, () => "a", "&")}` })),
  hostile("130,000 separators of the API", "api", undefined, () => ({ target: `/me?${"&".repeat(260_000)}` })),
  hostile("a path of 260,000 bytes", "page", 414, () => ({ target: `/${"a".repeat(260_000)}`, headers: [HTML] })),
  hostile("a path of 130,000 segments", "page", 414, () => ({ target: "/a".repeat(130_000), headers: [HTML] })),
  hostile("a path of 86,000 escapes of plain letters", "api", 414, () => ({ target: `/keys/get/${"%41".repeat(86_000)}` })),
  hostile("130,000 slashes", "page", 414, () => ({ target: "/".repeat(130_000), headers: [HTML] })),
  hostile("130,000 question marks", "api", undefined, () => ({ target: `/me?${"?".repeat(130_000)}` })),
  hostile("a method that nobody knows", "page", 405, () => ({ method: "PROPFIND", target: "/", headers: [HTML] })),
  hostile("TRACE of a page", "page", 405, () => ({ method: "TRACE", target: "/", headers: [HTML] })),
];

/** Headers: cookies above all, which NextAuth and Next each read whole. */
const headers: HostileRequest[] = [
  hostile("8,000 cookies", "page", 431, () => ({ target: "/account", headers: [HTML, `Cookie: ${times(8_000, (index) => `c${index}=1`, "; ")}`] })),
  hostile("2,000 cookies within 16 KB", "page", 431, () => ({ target: "/account", headers: [HTML, `Cookie: ${times(2_000, () => "a=1", "; ")}`] })),
  hostile("8,000 parts of a session's cookie", "page", 431, () => ({
    target: "/account",
    headers: [HTML, `Cookie: ${times(8_000, (index) => `next-auth.session-token.${index}=a`, "; ")}`],
  })),
  hostile("400 parts of a session's cookie", "auth", 431, () => ({
    target: "/api/auth/session",
    headers: [`Cookie: ${times(400, (index) => `next-auth.session-token.${index}=a`, ";")}`],
  })),
  hostile("600 Cookie headers", "page", 431, () => ({ target: "/account", headers: [HTML, ...Array<string>(600).fill("Cookie: a=1")] })),
  hostile("1,900 headers", "page", 431, () => ({ target: "/", headers: [HTML, ...Array.from({ length: 1_900 }, (_, index) => `X-H${index}: 1`)] })),
  hostile("1,900 headers of the API", "api", 431, () => ({ target: "/health", headers: Array.from({ length: 1_900 }, (_, index) => `X-H${index}: 1`) })),
  hostile("1,900 times one header", "page", 431, () => ({ target: "/", headers: [HTML, ...Array<string>(1_900).fill("Accept-Language: en")] })),
  hostile("a header of 200,000 bytes", "page", 431, () => ({ target: "/", headers: [HTML, `Accept-Language: ${times(66_000, () => "en", ",")}`] })),
  hostile("100,000 forwarded addresses", "page", 431, () => ({ target: "/", headers: [HTML, `X-Forwarded-For: ${times(100_000, () => "1", ",")}`] })),
  hostile("a router's state of 2,000 nested segments", "page", 431, () => ({
    target: "/",
    headers: ["RSC: 1", `Next-Router-State-Tree: ${encodeURIComponent(`${times(2_000, () => '["",{"a":')}["",{}]${"}]".repeat(2_000)}`)}`],
  })),
  hostile("a router's state of 400 nested segments within 8 KB", "page", 431, () => ({
    target: "/",
    headers: ["RSC: 1", `Next-Router-State-Tree: ${times(400, () => '["",{"a":')}["",{}]${"}]".repeat(400)}`],
  })),
  hostile("a router's state of nested brackets", "page", 431, () => ({
    target: "/",
    headers: ["RSC: 1", `Next-Router-State-Tree: ${"[".repeat(7_000)}${"]".repeat(7_000)}`],
  })),
  hostile("a router's state that is no JSON", "page", 400, () => ({ target: "/", headers: ["RSC: 1", "Next-Router-State-Tree: {"] })),
  hostile("a router's state of another shape", "page", 400, () => ({ target: "/", headers: ["RSC: 1", 'Next-Router-State-Tree: ["",{"children":1}]'] })),
  hostile("two states of a router", "page", 400, () => ({
    target: "/",
    headers: ["RSC: 1", ...Array<string>(2).fill("Next-Router-State-Tree: %5B%22%22%2C%7B%7D%5D")],
  })),
  hostile("an address of the router that is none", "page", undefined, () => ({ target: "/", headers: ["RSC: 1", `Next-Url: ${"/(.)".repeat(500)}`] })),
];

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const multipart = "Content-Type: multipart/form-data; boundary=b";
const parts = (count: number, part: (index: number) => [name: string, value: string]) =>
  `${times(count, (index) => {
    const [name, value] = part(index);
    return `--b\r\nContent-Disposition:form-data;name="${name}"\r\n\r\n${value}\r\n`;
  })}--b--\r\n`;

/** Bodies that are read whole, and what is inside them. */
const bodies: HostileRequest[] = [
  hostile("10 MB to a page", "page", 405, () => ({ method: "POST", target: "/", headers: [HTML], body: Buffer.alloc(10_000_000, "a") })),
  hostile("a body of a GET of a page", "page", 413, () => ({ target: "/", headers: [HTML], body: Buffer.alloc(1_000_000, "a") })),
  hostile("800 KB of nested brackets to an action", "action", 413, () => ({ method: "POST", target: "/", headers: [ACTION, TEXT], body: nested(400_000) })),
  hostile("60 KB of nested brackets to an action", "action", 400, () => ({ method: "POST", target: "/", headers: [ACTION, TEXT], body: nested(30_000) })),
  hostile("60 KB of nested objects to an action", "action", 400, () => ({
    method: "POST",
    target: "/",
    headers: [ACTION, TEXT],
    body: `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
  })),
  hostile("1,000 parts to an action", "action", 400, () => ({
    method: "POST",
    target: "/",
    headers: [ACTION, multipart],
    body: parts(1_000, (index) => [String(index), "1"]),
  })),
  hostile("parts of an action that name one another", "action", 400, () => ({
    method: "POST",
    target: "/",
    headers: [ACTION, multipart],
    body: parts(400, (index) => (index === 0 ? ["0", `[${times(5_000, () => '"$K1"', ",")}]`] : [`1_${index}`, "a"])),
  })),
  hostile("a form of 20,000 fields to an action", "action", 415, () => ({
    method: "POST",
    target: "/",
    headers: [ACTION, FORM],
    body: times(20_000, () => "a=", "&"),
  })),
  hostile("a form of 10,000 fields to sign in", "auth", 400, () => ({
    method: "POST",
    target: "/api/auth/callback/credentials",
    headers: [FORM],
    body: times(10_000, () => "a=", "&"),
  })),
  hostile("10 MB to sign in", "auth", 413, () => ({
    method: "POST",
    target: "/api/auth/callback/credentials",
    headers: [FORM],
    body: Buffer.alloc(10_000_000, "a"),
  })),
  hostile("10 MB to an upload of nobody's", "files", 413, () => ({ method: "PUT", target: "/files/uploads", body: Buffer.alloc(10_000_000, "a") })),
  hostile("10 MB to the API", "api", undefined, () => ({ method: "POST", target: "/health", body: Buffer.alloc(10_000_000, "a") })),
];

/** Bodies of which a part is sent, and then nothing. */
const unfinished: HostileRequest[] = [
  hostile("an unfinished body to a page", "page", 405, () => ({ method: "POST", target: "/", headers: [HTML], body: "a", announced: 10_000_000 }), true),
  hostile(
    "an unfinished body to an action",
    "action",
    undefined,
    () => ({ method: "POST", target: "/", headers: [ACTION, TEXT], body: "a".repeat(60_000), announced: 65_000 }),
    true,
  ),
  hostile(
    "an unfinished body to sign in",
    "auth",
    undefined,
    () => ({ method: "POST", target: "/api/auth/callback/credentials", headers: [FORM], body: "a".repeat(30_000), announced: 32_000 }),
    true,
  ),
  hostile(
    "an unfinished part of an upload",
    "files",
    undefined,
    () => ({ method: "PUT", target: "/files/uploads", body: Buffer.alloc(1_000_000, "a"), announced: 4_000_000 }),
    true,
  ),
];

/** Every one of them: a soak sends them all, many at a time. */
export const hostileRequests: readonly HostileRequest[] = [...addresses, ...headers, ...bodies, ...unfinished];
