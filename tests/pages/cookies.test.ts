import { expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { hashed, openedSession, PASSWORD } from "./visitor";

test.each([
  ["https", true],
  ["http", false],
])("behind %s, signing in opens a session of its own, in cookies as they should be", async (proto, isSecure) => {
  const [{ username }, stranger] = [await makeUser({ passwordHash: await hashed }), await makeUser()];
  // As a proxy says how it was reached.
  const headers = { "X-Forwarded-Proto": proto, "X-Forwarded-Host": "keys.localhost" };
  const userOf = async (Cookie: string) =>
    (await ask("/api/auth/session", { headers: { ...headers, Cookie } })).body?.user;
  const planted = await openedSession(stranger, "", `${proto}://keys.localhost`);
  const before = `${planted.name}=${planted.value}`;
  const jarOf = (cookies: string[]) => cookies.map((cookie) => cookie.split(";")[0]).join("; ");
  const started = await ask("/api/auth/csrf", { headers });
  const first = started.headers["set-cookie"] ?? [];
  const csrfToken = String(started.body?.csrfToken);
  const body = new URLSearchParams({ username, password: PASSWORD, csrfToken, json: "true" }).toString();
  const answer = await ask("/api/auth/callback/credentials", {
    method: "POST",
    headers: {
      ...headers,
      Cookie: `${jarOf(first)}; ${before}`,
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": String(body.length),
    },
    body,
  });
  expect(answer.status).toBe(200);
  const cookies = [...first, ...(answer.headers["set-cookie"] ?? [])];
  expect(cookies.filter((cookie) => cookie.includes(".session-token="))).toEqual([
    expect.stringContaining(`${planted.name}=`),
  ]);
  for (const cookie of cookies) {
    expect(cookie).toMatch(isSecure ? /^__Host-latchkey-/ : /^latchkey-/);
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    expect(/; Secure/i.test(cookie), cookie).toBe(isSecure);
  }
  const jar = jarOf(cookies);
  expect(jar).not.toContain(planted.value);
  expect(await userOf(jar)).toMatchObject({ username });
  expect(await userOf(before)).toMatchObject({ username: stranger.username });
  const signedIn = { headers: { ...headers, Cookie: jar } };
  const page = await ask("/account", signedIn);
  const security = isSecure ? "max-age=31536000" : undefined;
  expect([page.status, page.headers["strict-transport-security"]]).toEqual([200, security]);
  const session = await ask("/api/auth/session", signedIn);
  expect(Object.keys(session.body ?? {}).sort()).toEqual(["expires", "user"]);
});
