import { ACTION, FORM, type HostileRequest, HTML, hostile, TEXT, times } from "./hostile-request";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const multipart = "Content-Type: multipart/form-data; boundary=b";
const parts = (count: number, part: (index: number) => [name: string, value: string]) =>
  `${times(count, (index) => {
    const [name, value] = part(index);
    return `--b\r\nContent-Disposition:form-data;name="${name}"\r\n\r\n${value}\r\n`;
  })}--b--\r\n`;

/** Bodies that are read whole, and their contents. */
export const hostileBodies: HostileRequest[] = [
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
  hostile("60 KB of nested brackets to an action", "action", 400, () => ({
    method: "POST",
    target: "/",
    headers: [ACTION, TEXT],
    body: nested(30_000),
  })),
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
    () => ({ method: "POST", target: "/", headers: [ACTION, TEXT], body: "a".repeat(60_000), announced: 65_000 }),
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
      body: "a".repeat(30_000),
      announced: 32_000,
    }),
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
