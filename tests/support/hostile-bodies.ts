import { ACTION, FORM, type HostileRequest, HTML, hostile, KEY_ACTION, TEXT, times } from "./hostile-request";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const multipart = "Content-Type: multipart/form-data; boundary=b";
const parts = (count: number, part: (index: number) => [name: string, value: string]) =>
  `${times(count, (index) => {
    const [name, value] = part(index);
    return `--b\r\nContent-Disposition:form-data;name="${name}"\r\n\r\n${value}\r\n`;
  })}--b--\r\n`;

const JSON_TYPE = "Content-Type: application/json";
const called = (body: string | Buffer, action = ACTION, type = TEXT) => ({
  method: "POST",
  target: action === ACTION ? "/signup" : "/keys",
  headers: [action, type],
  body,
});

/** 354 KB within the depth and the parts of a call: React's decoder took the event loop for a second. */
export const MANY_VALUES = `[${times(6_000, () => nested(29), ",")}]`;
export const MANY_REFERENCES = parts(60, (index) =>
  index === 0 ? ["0", `[${times(1_500, () => '"$K1"', ",")}]`] : [`_1_${index}`, "a"],
);

/** Bodies of somebody who is not signed in: nothing of them is read. */
const hostileStrangers: HostileRequest[] = [
  hostile("174,000 nested values to an action with a key's data", "action", 401, () => called(MANY_VALUES, KEY_ACTION)),
  hostile("references of an action to a form of 60 fields", "action", 401, () =>
    called(MANY_REFERENCES, KEY_ACTION, multipart),
  ),
  hostile("2 MB to an import of nobody's", "files", 401, () => ({
    method: "POST",
    target: "/files/import",
    headers: [JSON_TYPE],
    body: Buffer.alloc(2_000_000, "a"),
  })),
  hostile("4 MB to an upload of nobody's", "files", 401, () => ({
    method: "PUT",
    target: "/files/uploads",
    body: Buffer.alloc(4_000_000, "a"),
  })),
  hostile("4 MB to a part of nobody's upload", "files", 401, () => ({
    method: "PUT",
    target: "/files/uploads/a?offset=0",
    headers: ["Cookie: next-auth.session-token=eyJhbGciOiJkaXIi.a.b.c.d"],
    body: Buffer.alloc(4_000_000, "a"),
  })),
  hostile("4 MB of small files of nobody's", "files", 401, () => ({
    method: "PUT",
    target: "/files/uploads/together",
    body: Buffer.alloc(4_000_000, "a"),
  })),
  hostile("60 KB of ids to an archive of nobody's", "files", 401, () => ({
    method: "POST",
    target: "/files/archive",
    headers: [JSON_TYPE],
    body: `[${times(15_000, () => '"a"', ",")}]`,
  })),
];

/** Bodies that are read whole, and their contents. */
export const hostileBodies: HostileRequest[] = [
  ...hostileStrangers,
  hostile("60 KB of a recovery code", "action", 413, () =>
    called(JSON.stringify([{ through: "code", username: "a", code: "A".repeat(60_000) }])),
  ),
  hostile("2,700 values to an action within 4 KB", "action", 400, () => called(`[${times(1_350, () => "[]", ",")}]`)),
  ...["$@1", "$1:a", "$h1", "$B1", "$r1", "$X1", "$Q1", "$A1", "$T", "$n1"].map((reference) =>
    hostile(`a call that refers to ${reference}`, "action", 400, () => called(JSON.stringify([reference]))),
  ),
  ...["{", "null", "{}", '"a"'].map((body) =>
    hostile(`a call with the arguments ${body}`, "action", 400, () => called(body)),
  ),
  hostile("a call with a hundred arguments", "action", 400, () => called(JSON.stringify(Array(100).fill("a")))),
  hostile("a call whose form brings a file", "action", 400, () =>
    called(
      parts(1, () => ['0"; filename="a', "[]"]),
      ACTION,
      multipart,
    ),
  ),
  hostile("a call of an action that does not exist", "action", 404, () =>
    called("[]", "Next-Action: 7f00000000000000000000000000000000000000"),
  ),
  ...["http://evil.example", "null", "a"].map((origin) =>
    hostile(`a call from a page of ${origin}`, "action", 403, () => ({
      ...called("[]"),
      headers: [ACTION, TEXT, `Origin: ${origin}`],
    })),
  ),
  hostile("30 KB to sign in", "auth", 413, () => ({
    method: "POST",
    target: "/api/auth/callback/credentials",
    headers: [FORM],
    body: Buffer.alloc(30_000, "a"),
  })),
  hostile("a text to sign in", "auth", 415, () => ({
    method: "POST",
    target: "/api/auth/callback/credentials",
    headers: [TEXT],
    body: "a",
  })),
  hostile("10 MB to a page", "page", 405, () => ({
    method: "POST",
    target: "/",
    headers: [HTML],
    body: Buffer.alloc(10_000_000, "a"),
  })),
  hostile("a body of a GET of a page", "page", 413, () => ({
    target: "/",
    headers: [HTML],
    body: Buffer.alloc(1_000_000, "a"),
  })),
  hostile("800 KB of nested brackets to an action", "action", 413, () => ({
    method: "POST",
    target: "/",
    headers: [ACTION, TEXT],
    body: nested(400_000),
  })),
  hostile("4 KB of nested brackets to an action", "action", 400, () => called(nested(2_000))),
  hostile("4 KB of nested objects to an action", "action", 400, () =>
    called(`${'{"a":'.repeat(600)}1${"}".repeat(600)}`),
  ),
  hostile("70 parts to an action", "action", 400, () =>
    called(
      parts(70, (index) => [String(index), "1"]),
      ACTION,
      multipart,
    ),
  ),
  hostile("a form of 1,000 fields to an action", "action", 415, () => ({
    method: "POST",
    target: "/",
    headers: [ACTION, FORM],
    body: times(1_000, () => "a=", "&"),
  })),
  hostile("a form of 1,000 fields to sign in", "auth", 400, () => ({
    method: "POST",
    target: "/api/auth/callback/credentials",
    headers: [FORM],
    body: times(1_000, () => "a=", "&"),
  })),
  hostile("10 MB to sign in", "auth", 413, () => ({
    method: "POST",
    target: "/api/auth/callback/credentials",
    headers: [FORM],
    body: Buffer.alloc(10_000_000, "a"),
  })),
  hostile("10 MB to an upload of nobody's", "files", 413, () => ({
    method: "PUT",
    target: "/files/uploads",
    body: Buffer.alloc(10_000_000, "a"),
  })),
  hostile("10 MB to the API", "api", undefined, () => ({
    method: "POST",
    target: "/health",
    body: Buffer.alloc(10_000_000, "a"),
  })),
];

/** Bodies that are sent in part and never completed. */
export const unfinishedBodies: HostileRequest[] = [
  hostile(
    "an unfinished body to a page",
    "page",
    405,
    () => ({ method: "POST", target: "/", headers: [HTML], body: "a", announced: 10_000_000 }),
    true,
  ),
  hostile(
    "an unfinished body to an action",
    "action",
    undefined,
    () => ({ method: "POST", target: "/", headers: [ACTION, TEXT], body: "a".repeat(3_000), announced: 4_000 }),
    true,
  ),
  hostile(
    "an unfinished body to sign in",
    "auth",
    undefined,
    () => ({
      method: "POST",
      target: "/api/auth/callback/credentials",
      headers: [FORM],
      body: "a".repeat(3_000),
      announced: 4_000,
    }),
    true,
  ),
  hostile(
    "an unfinished part of an upload of nobody's",
    "files",
    401,
    () => ({ method: "PUT", target: "/files/uploads", body: Buffer.alloc(1_000_000, "a"), announced: 4_000_000 }),
    true,
  ),
];
