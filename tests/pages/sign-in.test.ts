import { expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { makeUser, newUsername } from "@/tests/support/user";
import { press, told } from "./on-page";
import {
  atAccountOf,
  hashed,
  me,
  newSignedIn,
  newVisitor,
  openedSession,
  openReady,
  PASSWORD,
  submitAccount,
} from "./visitor";

test("signing up leads to the account, where the token is shown and copied only when asked", async () => {
  const { page, context, expectCalm } = await newVisitor();
  const answering: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.request().method() === "GET") answering.push(response.text().catch(() => ""));
  });
  const username = newUsername();
  await page.goto("/signup");
  await submitAccount(page, "Sign up", username, "short");
  await page.getByRole("alert").filter({ hasText: "8 characters" }).waitFor();
  await submitAccount(page, "Sign up", username);
  await atAccountOf(page, username);
  await told(page, "Your account is ready.");
  await page.waitForLoadState("networkidle");
  const answers = await Promise.all(answering);
  expect(answers.length).toBeGreaterThan(2);
  for (const text of [...answers, await page.content()]) expect(text).not.toMatch(/lk_[\w-]{43}/);

  await press(page, "Reveal");
  const token = (await page.getByText(/^lk_[\w-]{49}$/).textContent()) ?? "";
  expect((await me(token))?.username).toBe(username);
  await press(page, "Hide");
  expect(await page.content()).not.toContain(token);
  await page.getByRole("button", { name: "Copy" }).first().click();
  await told(page, "Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);

  for (const { value } of await context.cookies()) expect(decodeURIComponent(value)).not.toContain(token);
  expectCalm();
});

test("after signing out, a kept cookie is useless, and the password signs in again", async () => {
  const { page, username, context } = await newSignedIn();
  await openReady(page, "/account");
  const cookies = await context.cookies();
  await press(page, "Sign out");
  await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  expect((await ask("/account", { headers: { Cookie } })).headers.location).toBe("/signin?next=/account");
  await page.goto("/account");
  await page.waitForURL("**/signin?next=/account");
  await submitAccount(page, "Sign in", ` ${username.toUpperCase()} `, PASSWORD);
  await atAccountOf(page, username);
});

test("what is refused before anybody is signed in is said as it is", async () => {
  const { page } = await newVisitor();
  await openReady(page, "/signin");
  await submitAccount(page, "Sign in", "nobody-at-all", "x".repeat(9_000));
  await told(page, "This is too long: at most 4,096 bytes");
});

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
  const form = { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": String(body.length) };
  const sent = { ...headers, ...form, Cookie: `${jarOf(first)}; ${before}` };
  const answer = await ask("/api/auth/callback/credentials", { method: "POST", headers: sent, body });
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
