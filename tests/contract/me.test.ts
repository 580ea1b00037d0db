import { describe, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, newKey, share } from "./keys";

test("/me says who the token belongs to, how much that user has, and no secret", async () => {
  const [user, other] = (await makeUsers(2)) as [TestUser, TestUser];
  const { body: me, text } = await as(user, "/me");
  expect(me).toEqual({
    username: user.username,
    role: "user",
    createdAt: me?.createdAt,
    keys: 0,
    files: { entries: 0, bytes: 0 },
    token: { name: null, access: "everything", expiresAt: null },
  });
  expect(new Date(String(me?.createdAt)).toISOString()).toBe(me?.createdAt);
  expect(text).not.toContain(user.token);
  expect(text).not.toMatch(/hash|sealed|password/i);
  await newKey(user);
  await share(other, await newKey(other), user);
  expect(expectSuccess(await as(user, "/me")).body?.keys).toBe(2);
});

test("/me shows the username as it was typed at sign-up, and the role", async () => {
  const user = await makeUser({ username: `Mixed-${Date.now() % 1e9}`, role: "admin" });
  expect((await as(user, "/me")).body).toMatchObject({ username: user.username, role: "admin" });
});

describe.each(["/get_user", "/v2/me"])("%s, which existing clients ask for the name of their user,", (path) => {
  test("answers as /me does, to a token and to nothing else", async () => {
    const user = await makeUser();
    await newKey(user);
    const { body } = expectSuccess(await as(user, "/me"));
    expect((await as(user, path)).body).toEqual(body);
    expect((await ask(path, { headers: { Authorization: `Bearer ${user.token}` } })).body).toEqual(body);
    const query = { username: user.username, password: "whatever" };
    expectError(await ask(path, { query }), 401, "missing_token");
    expectError(await ask(path, { query: { auth: "whatever", ...query } }), 401, "invalid_token");
  });
});
