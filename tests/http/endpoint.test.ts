import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ApiError, unavailable } from "@/lib/errors";
import type { Declaration } from "@/lib/http/declaration";
import { endpoint } from "@/lib/http/endpoint";

/** A route like any other, but for what the test declares of it. */
function route(declared: Partial<Declaration> = {}) {
  const nothing = async () => ({ ok: true });
  return endpoint({
    path: "/things/{id}",
    summary: "A thing.",
    access: "read",
    caller: "nobody",
    parameters: z.object({ id: z.string(), size: z.string().regex(/^\d+$/, "must be a number").optional() }),
    response: z.object({ ok: z.literal(true) }),
    example: { answer: { ok: true } },
    answer: nothing,
    ...declared,
  });
}

const request = (path = "/things/7", method = "GET") => new Request(`http://service.example${path}`, { method });
const throwing = (error: unknown) => route({ answer: () => Promise.reject(error) });
const told = async (response: Response) => ({ status: response.status, ...((await response.json()) as object) });

describe("what a handler throws", () => {
  test("an ApiError is sent as it is, with its headers", async () => {
    const response = await throwing(new ApiError(418, "teapot", "It is a teapot.", { "X-Pot": "tea" })).GET(request());
    expect(response.headers.get("x-pot")).toBe("tea");
    expect(await told(response)).toEqual({
      status: 418,
      success: false,
      error: "It is a teapot.",
      message: "It is a teapot.",
      code: "teapot",
    });
  });

  test.each([
    ["a mistake of ours", new TypeError("secret of /home/us: undefined is not a function"), 500, "internal"],
    ["what is no error", "secret text", 500, "internal"],
    ["nothing", undefined, 500, "internal"],
    ["a database that is away", Object.assign(new Error("secret"), { code: "P1001" }), 503, "unavailable"],
    ["a lock of another process", Object.assign(new Error("secret"), { code: "SQLITE_BUSY" }), 503, "unavailable"],
    [
      "a disk that is full, of SQLite",
      Object.assign(new Error("secret"), { code: "SQLITE_FULL" }),
      507,
      "storage_full",
    ],
    [
      "a disk that is full, of PostgreSQL",
      { code: "P2010", meta: { driverAdapterError: { cause: { originalCode: "53100" } } } },
      507,
      "storage_full",
    ],
  ])("%s is told without its words", async (_, error, status, code) => {
    const response = await throwing(error).GET(request());
    const { headers } = response;
    const answer = await told(response);
    expect(answer).toMatchObject({ status, code, success: false });
    expect(JSON.stringify(answer)).not.toMatch(/secret|undefined|home/);
    expect(headers.get("retry-after")).toBe(status === 503 ? "2" : null);
  });

  test("a route with a refusal of its own answers it for every error but 405 and prefetching", async () => {
    const { GET, POST } = route({
      access: "change",
      refusal: ({ status }) => ({ status, body: { no: true } }),
      answer: () => Promise.reject(unavailable()),
    });
    expect(await told(await GET(request()))).toEqual({ status: 503, no: true });
    expect(await told(await GET(request("/things/7?size=x")))).toEqual({ status: 400, no: true });
    expect(await told(await POST(request("/things/7", "POST")))).toMatchObject({ code: "method_not_allowed" });
    const prefetch = new Request("http://service.example/things/7", { headers: { Purpose: "prefetch" } });
    expect(await told(await GET(prefetch))).toMatchObject({ code: "prefetch_refused" });
  });
});

describe("what a handler is given", () => {
  const given = async (path: string) => {
    let parameters: unknown;
    const answer = async (asked: { parameters: unknown }) => {
      parameters = asked.parameters;
      return { ok: true };
    };
    const response = await route({ answer, aliases: { size: ["width"] } }).GET(request(path));
    return { parameters, status: response.status };
  };

  test("the parameters of path and query, decoded, and nothing else", async () => {
    expect(await given("/things/a%20b?size=5&other=1")).toEqual({ parameters: { id: "a b", size: "5" }, status: 200 });
    expect(await given("/things/7?width=5&id=8")).toEqual({ parameters: { id: "7", size: "5" }, status: 200 });
  });

  test("nothing at all when a parameter is bad", async () => {
    for (const path of [
      "/things/7?size=x",
      "/things/7?size=1&size=1",
      "/things/7?size=1&width=2",
      "/things/%ff",
      "/things/7?size=%00",
    ])
      expect(await given(path)).toEqual({ parameters: undefined, status: 400 });
  });
});

describe("HEAD", () => {
  test("of a route that reads runs it, drops the body, and stops what would have made it", async () => {
    let isCancelled = false;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1_024)),
      cancel: () => {
        isCancelled = true;
      },
    });
    const response = await route({
      answer: async () => new Response(body, { headers: { "Content-Length": "1024" } }),
    }).HEAD(request("/things/7", "HEAD"));
    expect([response.status, response.headers.get("content-length"), response.body]).toEqual([200, "1024", null]);
    expect(isCancelled).toBe(true);
  });

  test("of a route that changes something never reaches it", async () => {
    let isReached = false;
    const answer = async () => {
      isReached = true;
      return { ok: true };
    };
    const response = await route({ access: "change", answer }).HEAD(request("/things/7", "HEAD"));
    expect([response.status, response.headers.get("allow"), isReached]).toEqual([405, "GET, OPTIONS", false]);
  });
});
