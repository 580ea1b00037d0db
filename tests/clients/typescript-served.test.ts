import { gunzipSync } from "node:zlib";
import { expect, inject, test } from "vitest";
import { clientModule, clientTypes } from "@/scripts/clients/bundle.mjs";
import { ask } from "@/tests/support/http";

test.each([
  ["/client.mjs", "text/javascript; charset=utf-8", clientModule],
  ["/client.d.mts", "text/plain; charset=utf-8", clientTypes],
] as const)("the service serves %s to every origin", async (path, type, made) => {
  const { status, headers, text } = await ask(path, { headers: { Origin: "https://elsewhere.example" } });
  expect([status, text]).toEqual([200, await made()]);
  expect(headers).toMatchObject({
    ...{ "content-type": type, "access-control-allow-origin": "*", "cache-control": "public, max-age=3600" },
    ...{ "cross-origin-resource-policy": "cross-origin", "x-content-type-options": "nosniff" },
  });
  expect(headers["set-cookie"]).toBeUndefined();
  const again = await ask(path, { headers: { "If-None-Match": String(headers.etag) } });
  expect([again.status, again.text]).toEqual([304, ""]);
});

test("the client is compressed by our own server, and says where its types are", async () => {
  const { headers, bytes } = await ask("/client.mjs", { headers: { "Accept-Encoding": "gzip" } });
  expect(headers["x-typescript-types"]).toBe("./client.d.mts");
  // On other platforms, what is in front of Next compresses.
  if (inject("target").lane === "direct") {
    expect(headers["content-encoding"]).toBe("gzip");
    expect(bytes.length).toBeLessThan(6_000);
    expect(gunzipSync(bytes).toString()).toBe(await clientModule());
  }
});
