import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { chunks, root, values } from "@/tests/support/documents";
import { ask, raw } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";

/** What Next decides before our code runs, so that the two lanes differ. All else in this folder holds on both. */

const lane = inject("target").lane;
const rows = (name: string, direct: () => void, next: () => void) => describe(name, lane === "direct" ? direct : next);

let user: TestUser;
let auth: string;
beforeAll(async () => {
  user = await makeUser();
  auth = `auth=${user.token}`;
});

const keys = async () => (await ask(`/keys/mine?${auth}`)).list.length;

const BAD_SEGMENTS = ["%", "%zz", "%ff", "%c0%af", "%ed%a0%80"];
rows(
  "malformed escapes in a path",
  () =>
    test.each(BAD_SEGMENTS)("%s is a bad parameter", async (segment) => {
      expectError(await ask(`/keys/get/${segment}?${auth}`), 400, "invalid_parameter");
    }),
  () =>
    test.each(BAD_SEGMENTS)("%s is answered by Next, without a stack", async (segment) => {
      const { status, text } = await ask(`/keys/get/${segment}?${auth}`);
      expect([status, text]).toEqual([500, "Internal Server Error"]);
    }),
);

rows(
  "malformed escapes in a query",
  () =>
    test.each(["%", "%zz", "%4"])("%s is a bad parameter", async (data) => {
      expectError(await ask(`/keys/create?${auth}&price=1&data=${data}`), 400, "invalid_parameter");
    }),
  () =>
    test.each(["%", "%zz", "%4"])("%s is taken as these very characters", async (data) => {
      expect(expectSuccess(await ask(`/keys/create?${auth}&price=1&data=${data}`)).body?.data).toBe(data);
    }),
);

rows(
  "methods that hardly anybody knows",
  () =>
    test.each(["TRACE", "PROPFIND", "QUERY", "PURGE"])("%s is not allowed", async (method) => {
      const answer = await ask(`/me?${auth}`, { method });
      expectError(answer, 405, "method_not_allowed");
      expect(answer.headers.allow).toBe("GET, HEAD, OPTIONS");
    }),
  () =>
    test.each([
      ["TRACE", 500],
      ["PROPFIND", 400],
      ["QUERY", 400],
      ["PURGE", 400],
    ])("%s is answered by Next with %d and nothing of ours", async (method, status) => {
      const answer = await ask(`/me?${auth}`, { method });
      expect(answer.status).toBe(status);
      expect(answer.text).not.toContain(user.username);
    }),
);

rows(
  "trailing and double slashes",
  () =>
    test("are no address, and make no key", async () => {
      const before = await keys();
      for (const path of ["/keys/create/", "//keys/create", "/keys//create", "/keys/create//", "/me/"])
        expectError(await ask(`${path}?${auth}&data=x&price=1`), 404, "not_found");
      expect(await keys()).toBe(before);
    }),
  () => {
    test.each(["//keys/create", "/keys//create", "/keys/create//"])("%s leads to the right address", async (path) => {
      const { status, headers } = await ask(`${path}?data=x&price=1`);
      expect(status).toBe(308);
      expect(headers.location).toMatch(/^\/keys\/create\/?\?data=x&price=1$/);
    });
    test("one slash at the end is not seen", async () => {
      expectSuccess(await ask(`/me/?${auth}`));
    });
  },
);

/** Stores a document whose root folder has `icon` as its icon. */
const store = (icon: string) =>
  importDocument(user, chunks(JSON.stringify(values(root(user.username)).with(10, icon))));

rows(
  "lengths and encodings",
  () => {
    test("64 KiB of data fit, percent-encoded", async () => {
      const data = "\u20ac".repeat(21_845);
      const path = `/keys/create?${auth}&price=1&data=${encodeURIComponent(data)}`;
      expect(expectSuccess(await ask(path)).body?.data).toBe(data);
      expectError(await ask(`${path}ab`), 400, "invalid_parameter");
    });
    test("an address of 262,144 bytes fits, and a much longer one is refused", async () => {
      const path = `/me?${auth}&x=`;
      expectSuccess(await ask(path + "x".repeat(262_144 - path.length)));
      expectError(await ask(path + "x".repeat(300_000)), 431, "headers_too_large");
    });
    test("letters of a route's name may be encoded", async () => {
      expectSuccess(await ask(`/keys/%6dine?${auth}`));
    });
    test("files are sent as gzip to clients that accept it, with their own tag and a length", async () => {
      await store("icon ".repeat(1_000));
      const plain = await ask(`/read-files?${auth}`);
      const { headers, bytes } = await ask(`/read-files?${auth}`, { headers: { "Accept-Encoding": "gzip" } });
      expect(headers["content-encoding"]).toBe("gzip");
      expect(headers.etag).toBe(String(plain.headers.etag).replace(/"$/, '-gzip"'));
      expect(gunzipSync(bytes).toString()).toBe(plain.text);
      expect(plain.headers["content-length"]).toBe(String(Buffer.byteLength(plain.text)));
      expect(headers["content-length"]).toBe(String(bytes.length));
      expect(bytes.length).toBeLessThan(plain.text.length / 10);
    });
    test("a part of the files has a length, an index none", async () => {
      await store("icon");
      for (const part of ["path=/", "under=/"]) {
        const { status, headers, bytes } = await ask(`/read-files?${auth}&${part}`);
        expect([status, headers["content-length"]]).toEqual([200, String(bytes.length)]);
        const head = await ask(`/read-files?${auth}&${part}`, { method: "HEAD" });
        expect(head.headers["content-length"]).toBe(String(bytes.length));
      }
      const index = await ask(`/read-files?${auth}&only=index`);
      expect([index.status, index.headers["content-length"]]).toEqual([200, undefined]);
    });
    test("/openapi.json is sent as gzip to clients that accept it", async () => {
      const { text } = expectSuccess(await ask("/openapi.json"));
      const { headers, bytes } = await ask("/openapi.json", { headers: { "Accept-Encoding": "gzip" } });
      expect([headers["content-encoding"], headers.vary, headers.etag]).toEqual(["gzip", "Accept-Encoding", undefined]);
      expect(gunzipSync(bytes).toString()).toBe(text);
    });
  },
  () => {
    test("an address of 12,000 bytes fits, and one of 20,000 is refused", async () => {
      const path = `/me?${auth}&x=`;
      expectSuccess(await ask(path + "x".repeat(12_000 - path.length)));
      expect((await ask(path + "x".repeat(20_000))).status).toBe(431);
    });
    test("letters of a route's name may not be encoded", async () => {
      expectError(await ask(`/keys/%6dine?${auth}`), 404, "not_found");
    });
    test("files come in the plain form only", async () => {
      await store("icon ".repeat(1_000));
      const answer = await ask(`/read-files?${auth}`, { headers: { "Accept-Encoding": "gzip" } });
      expect(answer.headers["content-encoding"]).toBeUndefined();
      expect(answer.list[10]).toBe("icon ".repeat(1_000));
    });
    test("/openapi.json comes in the plain form only", async () => {
      const { headers, body } = await ask("/openapi.json", { headers: { "Accept-Encoding": "gzip" } });
      expect([headers["content-encoding"], body?.openapi]).toEqual([undefined, "3.1.0"]);
    });
  },
);

const ABSOLUTE = "GET http://elsewhere.example/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
rows(
  "what is no request for a path",
  () => {
    test("a target in absolute form is read like any other", async () => {
      expect(await raw(ABSOLUTE)).toMatch(/^HTTP\/1.1 200 /);
    });
    test.each([
      ["no HTTP at all", "NONSENSE\r\n\r\n"],
      ["a target that is no path", "GET * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"],
    ])("%s is refused as JSON", async (_, text) => {
      expect(await raw(text)).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"bad_request"\}\r?\n?$/);
    });
    test("Next's own headers change nothing", async () => {
      for (const name of ["RSC", "Next-Action", "Next-Router-State-Tree", "x-middleware-subrequest", "x-nextjs-data"])
        expectSuccess(await ask(`/me?${auth}`, { headers: { [name]: "1" } }));
    });
  },
  () => {
    test("a target in absolute form is redirected by Next", async () => {
      expect(await raw(ABSOLUTE)).toMatch(/^HTTP\/1.1 308 /);
    });
    test("what is no HTTP is refused", async () => {
      expect(await raw("NONSENSE\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
    });
    test("a request for a page's data is led astray, not answered", async () => {
      expect((await ask(`/me?${auth}`, { headers: { RSC: "1" } })).status).toBe(307);
    });
  },
);
