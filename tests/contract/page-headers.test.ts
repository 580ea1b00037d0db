import { expect, inject, test } from "vitest";
import { ask } from "@/tests/support/http";
import { expectError } from "./answers";

const PAGES = ["/", "/signin", "/signup", "/link", "/keys", "/account", "/docs", "/nothing-here"];

test.each(PAGES)("%s may not be framed, sniffed or told of elsewhere, and runs no script but its own", async (path) => {
  const { headers } = await ask(path, { headers: { Accept: "text/html" } });
  const policy = String(headers["content-security-policy"]);
  for (const rule of [
    "default-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ])
    expect(policy).toContain(rule);
  expect(policy).toMatch(/script-src [^;]*'nonce-[A-Za-z0-9+/=]{20,}'/);
  expect(policy).not.toMatch(/script-src [^;]*'unsafe-(?:inline|eval)'/);
  expect(headers).toMatchObject({
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": expect.stringContaining("camera=()"),
  });
  expect(headers["x-powered-by"]).toBeUndefined();
});

test("every response has its own nonce", async () => {
  const nonces = await Promise.all(
    ["/", "/"].map(
      async (path) => /'nonce-([^']+)'/.exec(String((await ask(path)).headers["content-security-policy"]))?.[1],
    ),
  );
  expect(nonces[0]).not.toBe(nonces[1]);
});

test("cookies are for the browser alone, and for requests of our own pages", async () => {
  const cookies = (await ask("/api/auth/csrf")).headers["set-cookie"] ?? [];
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) expect(cookie).toMatch(/HttpOnly/i);
  for (const cookie of cookies) expect(cookie).toMatch(/SameSite=Lax/i);
});

const sweep = (Authorization?: string) =>
  ask("/api/sweep", { headers: Authorization === undefined ? {} : { Authorization } });

test("a timer that knows the secret sweeps; nobody else does", async () => {
  for (const sent of [undefined, "Bearer wrong", inject("service").cronSecret])
    expectError(await sweep(sent), 401, "invalid_token");
  const { status, body } = await sweep(`Bearer ${inject("service").cronSecret}`);
  expect([status, Object.keys(body ?? {})]).toEqual([
    200,
    [
      "codes",
      "filePieces",
      "sessions",
      "challenges",
      "tokens",
      "oneTimeLinks",
      "claimLinks",
      "addresses",
      "accounts",
      "userSummaries",
      "blocks",
      "mail",
      "sealing",
    ],
  ]);
});
