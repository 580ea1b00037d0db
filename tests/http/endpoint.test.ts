import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { GET } from "@/app/(api)/.well-known/security.txt/route";
import type { Declaration } from "@/lib/api/declaration";
import { endpoint } from "@/lib/api/endpoint";
import { env } from "@/lib/platform/env";
import { ApiError, unavailable } from "@/lib/platform/errors";
import { DAY_MS } from "@/lib/platform/time";
import { errorsWrittenIn, sourceFiles } from "@/tests/support/imports";

function route(declared: Partial<Declaration> = {}) {
  const nothing = async () => ({ ok: true });
  return endpoint({
    path: "/things/{id}",
    summary: "A thing.",
    access: "read",
    caller: "nobody",
    parameters: z.object({ id: z.string(), size: z.string().regex(/^\d+$/, "must be a number").optional() }),
    response: z.object({ ok: z.literal(true) }),
    example: { response: { ok: true } },
    respond: nothing,
    ...declared,
  });
}

const request = (path = "/things/7", method = "GET") => new Request(`http://service.example${path}`, { method });
const throwing = (error: unknown) => route({ respond: () => Promise.reject(error) });
const told = async (response: Response) => ({ status: response.status, ...((await response.json()) as object) });

const NO_SPACE = { code: "P2010", meta: { driverAdapterError: { cause: { originalCode: "53100" } } } };

describe("what a handler throws", () => {
  test("an ApiError is sent as it is, with its headers", async () => {
    const response = await throwing(
      new ApiError(418, "teapot", "It is a teapot.", { headers: { "X-Pot": "tea" } }),
    ).GET(request());
    expect(response.headers.get("x-pot")).toBe("tea");
    const error = "It is a teapot.";
    expect(await told(response)).toEqual({ status: 418, success: false, error, message: error, code: "teapot" });
  });

  test.each([
    ["a mistake of ours", new TypeError("secret of /home/us: undefined is not a function"), 500, "internal"],
    ["what is no error", "secret text", 500, "internal"],
    ["nothing", undefined, 500, "internal"],
    ["a database that is away", Object.assign(new Error("secret"), { code: "P1001" }), 503, "unavailable"],
    ["a lock of another process", Object.assign(new Error("secret"), { code: "SQLITE_BUSY" }), 503, "unavailable"],
    ["a full disk of SQLite", Object.assign(new Error("secret"), { code: "SQLITE_FULL" }), 507, "storage_full"],
    ["a full disk of PostgreSQL", NO_SPACE, 507, "storage_full"],
  ])("%s is told without its words", async (_, error, status, code) => {
    const response = await throwing(error).GET(request());
    const { headers } = response;
    const answer = await told(response);
    expect(answer).toMatchObject({ status, code, success: false });
    expect(JSON.stringify(answer)).not.toMatch(/secret|undefined|home/);
    expect(headers.get("retry-after")).toBe(status === 503 ? "2" : null);
  });

  test("a route with a refusal of its own answers it for every error but 405", async () => {
    const { GET, POST } = route({
      access: "change",
      refusal: ({ status }) => ({ status, body: { no: true } }),
      respond: () => Promise.reject(unavailable()),
    });
    expect(await told(await GET(request()))).toEqual({ status: 503, no: true });
    expect(await told(await GET(request("/things/7?size=x")))).toEqual({ status: 400, no: true });
    expect(await told(await POST(request("/things/7", "POST")))).toMatchObject({ code: "method_not_allowed" });
  });
});

test("HEAD of a route that reads runs it, drops the body, and stops what would have made it", async () => {
  let isCancelled = false;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1_024)),
    cancel() {
      isCancelled = true;
    },
  });
  const respond = async () => new Response(body, { headers: { "Content-Length": "1024" } });
  const response = await route({ respond }).HEAD(request("/things/7", "HEAD"));
  expect([response.status, response.headers.get("content-length"), response.body]).toEqual([200, "1024", null]);
  expect(isCancelled).toBe(true);
});

test("every error code is written in one place, with one status", () => {
  const places = new Map<string, string[]>();
  for (const file of sourceFiles("app", "lib", "server", "proxy.ts", "server.ts"))
    for (const code of errorsWrittenIn(file)) places.set(code, [...(places.get(code) ?? []), file]);
  const twice = [...places].filter(([, files]) => files.length > 1);
  const advice =
    "Make one function that makes this error, in the file errors of the area that throws it, or else of lib/platform.";
  expect(twice.map(([code, files]) => `${code} is written in ${files.join(", ")}. ${advice}`)).toEqual([]);
  expect(places.size).toBeGreaterThan(40);
});

afterEach(() => {
  Object.assign(env, { CONTACT: undefined, NEXTAUTH_URL: undefined });
});

async function answerWith(contact: string | undefined, origin = "https://keys.example.org") {
  Object.assign(env, { CONTACT: contact, NEXTAUTH_URL: origin });
  const answer = await GET(new Request(`${origin}/.well-known/security.txt`));
  return { answer, text: await answer.text() };
}

test("it has the fields of RFC 9116, and expires in half a year", async () => {
  const { answer, text } = await answerWith("help@example.org");
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
  });
  const [, expires = ""] = /^Expires: (\d{4}-\d\d-\d\dT00:00:00\.000Z)$/m.exec(text) ?? [];
  expect(text.split("\n")).toEqual([
    "Contact: mailto:help@example.org",
    `Expires: ${expires}`,
    "Preferred-Languages: en",
    "Canonical: https://keys.example.org/.well-known/security.txt",
    "",
  ]);
  const days = (Date.parse(expires) - Date.now()) / DAY_MS;
  expect(days).toBeGreaterThan(178);
  expect(days).toBeLessThanOrEqual(180);
});

test.each([
  ["o'neil+keys@example.org", "mailto:o'neil+keys@example.org"],
  ["https://example.org/help?to=keys", "https://example.org/help?to=keys"],
  ["HTTPS://example.org/ä b", "https://example.org/%C3%A4%20b"],
  ["https://example.org/\nContact: mailto:x@example.org", "https://example.org/Contact:%20mailto:x@example.org"],
])("the contact %j is the address %s", async (contact, address) => {
  const { text } = await answerWith(contact);
  expect(text.match(/^Contact: .*$/gm)).toEqual([`Contact: ${address}`]);
});

test("an origin without TLS is no canonical address", async () => {
  expect((await answerWith("help@example.org", "http://localhost:3000")).text).not.toContain("Canonical");
});

test.each([undefined, "http://example.org/help", "HTTP://example.org/help"])(
  "with CONTACT=%s, there is none",
  async (contact) => {
    const { answer, text } = await answerWith(contact);
    expect([answer.status, JSON.parse(text).code]).toEqual([404, "not_found"]);
  },
);
