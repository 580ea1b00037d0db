import { gunzipSync } from "node:zlib";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { GET, HEAD, POST } from "@/app/(api)/read-files/route";
import { importDocument } from "@/lib/files/import";
import { declareServer } from "@/lib/network";
import { chunks, smallDocument } from "../support/documents";
import { makeUser, type TestUser } from "../support/user";

const undeclareServer = () => {
  delete (globalThis as { latchkeyServer?: true }).latchkeyServer;
};

let user: TestUser;
let text: string;
const request = (headers: Record<string, string> = {}, method = "GET", token = user.token) =>
  new Request(`http://latchkey.test/read-files?auth=${token}`, { headers, method });

beforeAll(async () => {
  user = await makeUser();
  text = JSON.stringify(smallDocument(user.username, "text ".repeat(150_000)));
  await importDocument(user, chunks(text));
});
afterEach(undeclareServer);

describe("GET /read-files, plain", () => {
  test("answers the whole document with its headers", async () => {
    const answer = await GET(request({ "accept-encoding": "gzip" }));
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
      "cache-control": "private, no-cache",
      vary: "Accept-Encoding",
      "accept-ranges": "bytes",
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(await answer.text()).toBe(text);
  });

  test("is resumed with Range and If-Range", async () => {
    const whole = await GET(request());
    await whole.body?.cancel();
    const answer = await GET(request({ range: "bytes=300000-", "if-range": whole.headers.get("etag") ?? "" }));
    expect(answer.status).toBe(206);
    expect(answer.headers.get("content-range")).toBe(
      `bytes 300000-${Buffer.byteLength(text) - 1}/${Buffer.byteLength(text)}`,
    );
    expect(await answer.text()).toBe(Buffer.from(text).subarray(300_000).toString());
  });

  test("sends 416 past the end", async () => {
    const answer = await GET(request({ range: "bytes=99999999-" }));
    expect([answer.status, answer.headers.get("content-range")]).toEqual([416, `bytes */${Buffer.byteLength(text)}`]);
    expect(await answer.json()).toMatchObject({ success: false, code: "range_not_satisfiable" });
  });

  test("sends 304 to clients that have it, until something else is stored", async () => {
    const user = await makeUser();
    await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
    const etag = (await GET(request({}, "GET", user.token))).headers.get("etag") ?? "";
    const same = await GET(request({ "if-none-match": etag }, "GET", user.token));
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", etag]);
    await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
    expect((await GET(request({ "if-none-match": etag }, "GET", user.token))).status).toBe(200);
  });
});

describe("GET /read-files, through our own server", () => {
  test("sends the gzip form to clients that accept it, with its own tag and length", async () => {
    const plain = await GET(request());
    declareServer();
    const answer = await GET(request({ "accept-encoding": "gzip, br" }));
    const gzip = Buffer.from(await answer.arrayBuffer());
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-encoding": "gzip",
      "content-length": String(gzip.length),
      vary: "Accept-Encoding",
    });
    expect(answer.headers.get("etag")).not.toBe(plain.headers.get("etag"));
    expect(answer.headers.get("accept-ranges")).toBeNull();
    expect(gunzipSync(gzip).toString()).toBe(text);
    expect(
      (await GET(request({ "accept-encoding": "gzip", "if-none-match": answer.headers.get("etag") ?? "" }))).status,
    ).toBe(304);
  });

  test.each<Record<string, string>>([
    { "accept-encoding": "identity" },
    {},
    { "accept-encoding": "gzip", range: "bytes=0-" },
  ])("answers the plain form to %j", async (headers) => {
    declareServer();
    const answer = await GET(request(headers));
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(await answer.text()).toBe(text);
  });
});

describe("Whatever the lane", () => {
  test("HEAD answers like GET without a body", async () => {
    const answer = await HEAD(request({}, "HEAD"));
    expect([answer.status, answer.headers.get("content-length"), await answer.text()]).toEqual([
      200,
      String(Buffer.byteLength(text)),
      "",
    ]);
  });

  test("404 no_files until something is stored", async () => {
    const { token } = await makeUser();
    const answer = await GET(request({}, "GET", token));
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({ success: false, code: "no_files" }),
    ]);
  });

  test("401 without a valid token, 405 for other methods than reads", async () => {
    expect((await GET(request({}, "GET", ""))).status).toBe(401);
    expect((await GET(request({}, "GET", `lk_${"x".repeat(43)}`))).status).toBe(401);
    const answer = await POST(request({}, "POST"));
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test("500 downloads that their clients break off leave nothing behind", async () => {
    const uncaught = vi.fn();
    process.on("uncaughtException", uncaught).on("unhandledRejection", uncaught);
    for (let n = 0; n < 500; n++) {
      const body = (await GET(request())).body?.getReader();
      if (n % 3 > 0) await body?.read();
      if (n % 3 > 1) void body?.read();
      await body?.cancel();
    }
    process.off("uncaughtException", uncaught).off("unhandledRejection", uncaught);
    expect(uncaught).not.toHaveBeenCalled();
    expect(await (await GET(request())).text()).toBe(text);
  });
});
