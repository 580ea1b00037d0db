import { expect, test } from "vitest";
import { createUser } from "@/lib/auth/users";
import { ask } from "@/tests/support/http";
import { newUsername } from "@/tests/support/user";

const PASSWORD = "correct horse battery staple";

/**
 * Signs in as a browser does, through a proxy that says how it was reached. Answers the cookies with their attributes.
 */
async function signIn(proto: "http" | "https"): Promise<{ cookies: string[]; jar: string }> {
  const username = newUsername();
  await createUser({ username, password: PASSWORD });
  const headers = { "X-Forwarded-Proto": proto, "X-Forwarded-Host": "keys.localhost" };
  const csrf = await ask("/api/auth/csrf", { headers });
  const jarOf = (cookies: string[]) => cookies.map((cookie) => cookie.split(";")[0]).join("; ");
  const first = csrf.headers["set-cookie"] ?? [];
  const body = new URLSearchParams({
    username,
    password: PASSWORD,
    csrfToken: String(csrf.body?.csrfToken),
    json: "true",
  }).toString();
  const answer = await ask("/api/auth/callback/credentials", {
    method: "POST",
    headers: {
      ...headers,
      Cookie: jarOf(first),
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": String(body.length),
    },
    body,
  });
  expect(answer.status).toBe(200);
  const cookies = [...first, ...(answer.headers["set-cookie"] ?? [])];
  return { cookies, jar: jarOf(cookies) };
}

test.each([
  ["https", true],
  ["http", false],
] as const)(
  "behind %s the cookies of a session are HttpOnly and SameSite=Lax, and Secure: %s",
  async (proto, isSecure) => {
    const { cookies, jar } = await signIn(proto);
    expect(cookies.some((cookie) => cookie.includes(".session-token="))).toBe(true);
    for (const cookie of cookies) {
      expect(cookie).toMatch(isSecure ? /^__Host-latchkey-/ : /^latchkey-/);
      expect(cookie).toMatch(/; HttpOnly/i);
      expect(cookie).toMatch(/; SameSite=Lax/i);
      expect(/; Secure/i.test(cookie), cookie).toBe(isSecure);
    }
    const headers = { "X-Forwarded-Proto": proto, "X-Forwarded-Host": "keys.localhost", Cookie: jar };
    const page = await ask("/account", { headers });
    expect([page.status, page.headers["strict-transport-security"]]).toEqual([
      200,
      isSecure ? "max-age=31536000" : undefined,
    ]);
    const session = await ask("/api/auth/session", { headers });
    expect(Object.keys(session.body ?? {}).sort()).toEqual(["expires", "user"]);
  },
);
