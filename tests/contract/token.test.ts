import { beforeAll, describe, expect, inject, test } from "vitest";
import { OPERATOR } from "@/lib/platform/audit";
import { mintToken } from "@/lib/platform/crypto/tokens";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { blockNetwork } from "@/lib/platform/network/block";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser, makeUsers, newUsername, postPassword, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, NO_KEY, newKey, share } from "./keys";
import { named, WITH_TOKEN } from "./routes";

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

const { knowsNetworks, isOneProcess } = inject("service");
const unknownToken = () => mintToken("nobody").token;
const expectInvalid = (answer: Awaited<ReturnType<typeof ask>>) =>
  expect(expectError(answer, 401, "invalid_token").body?.error).toContain("Invalid");

test("a token is taken from the query, as a bearer token, and from both when they agree", async () => {
  const bearer = { Authorization: `Bearer ${user.token}` };
  const query = { auth: user.token };
  const anyCase = { Authorization: `bEARER ${user.token}` };
  const otherScheme = { Authorization: "Basic YWxpY2U6c2VjcmV0" };
  for (const asking of [
    ...[{ query }, { headers: bearer }, { query, headers: bearer }, { headers: anyCase }],
    { query, headers: otherScheme },
  ])
    expect(expectSuccess(await ask("/me", asking)).body?.username).toBe(user.username);
  expectError(await ask("/me", { headers: otherScheme }), 401, "missing_token");
});

// That each route asks for a token, and refuses a wrong one, is among the examples of openapi.test.ts.
test.each(named(WITH_TOKEN))("%s refuses a token that is repeated or contradicted", async (_, { path, query }) => {
  const [unknown, others] = [unknownToken(), new URLSearchParams(query)];
  expectInvalid(await ask(`${path}?${others}&auth=${user.token}&auth=${user.token}`));
  for (const [auth, bearer] of [
    [user.token, unknown],
    [unknown, user.token],
  ])
    expectInvalid(await ask(path, { query: { ...query, auth }, headers: { Authorization: `Bearer ${bearer}` } }));
});

test("what is no token is refused", async () => {
  const escaped = ["%00", "%ff", "%ed%a0%80"];
  const texts = ["x", "null", "undefined", `${user.token} `, user.token.toUpperCase(), "'; DROP TABLE", "\u{1F511}"];
  for (const auth of [...escaped, ...texts.map(encodeURIComponent)]) expectInvalid(await ask(`/me?auth=${auth}`));
});

test("no cookie authenticates a caller", async () => {
  const Cookie = `auth=${user.token}; latchkey-00000000.session-token=${user.token}`;
  expectError(await ask("/me", { headers: { Cookie } }), 401, "missing_token");
});

test("a token that was rotated away stops at once, and the new one works", async () => {
  const rotating = await makeUser();
  expectSuccess(await ask("/me", { query: { auth: rotating.token } }));
  const { token, stored } = mintToken(rotating.id);
  await db.user.update({ where: { id: rotating.id }, data: stored });
  expectInvalid(await ask("/me", { query: { auth: rotating.token } }));
  expectSuccess(await ask("/me", { query: { auth: token } }));
});

describe("the order of checks", () => {
  const path = `/keys/admin_add/${NO_KEY}`;

  test("is method, prefetch, token, parameters, existence", async () => {
    const prefetch = { "Sec-Purpose": "prefetch" };
    expectError(await ask(path, { method: "POST", headers: prefetch }), 405, "method_not_allowed");
    expectError(await ask(path, { headers: prefetch }), 403, "prefetch_refused");
    expectError(await ask(path), 401, "missing_token");
    expectError(await ask(path, { query: { auth: unknownToken(), key: "wrong" } }), 401, "invalid_token");
    expectError(await as(await makeUser({ disabledAt: new Date() }), path), 403, "account_disabled");
    expectError(await as(user, path), 400, "missing_parameter");
    expectError(await as(user, path, { key: "wrong", username: user.username }), 400, "key_mismatch");
    expectError(await as(user, path, { key: NO_KEY, username: "nobody-at-all" }), 404, "key_not_found");
  });

  test("is the same for a long address", async () => {
    const data = "%FF".repeat(3_000);
    const sent = (auth: string) => ask(`/keys/create?price=1&price=2&data=${data}${auth}`);
    expectError(await sent(""), 401, "missing_token");
    expectError(await sent(`&auth=${unknownToken()}`), 401, "invalid_token");
    expectError(await sent(`&auth=${user.token}&auth=${user.token}`), 401, "invalid_token");
    expectError(await sent(`&auth=${user.token}`), 400, "invalid_parameter");
  });

  test("and existence comes before permission", async () => {
    const key = await newKey(user);
    const stranger = await makeUser();
    const add = (username: string) => as(stranger, `/keys/admin_add/${key}`, { key, username });
    expectError(await add("nobody-at-all"), 404, "user_not_found");
    expectError(await add(user.username), 403, "not_creator");
  });
});

if (knowsNetworks)
  test("after 300 failing tokens a network gets 429 for failing ones, and valid ones are never refused", async () => {
    const network = newNetwork().id;
    const fail = () => ask("/me", { query: { auth: unknownToken() }, network });
    const answers = await Promise.all(Array.from({ length: 300 }, fail));
    expect(answers.map(({ status }) => status)).toEqual(Array(300).fill(401));
    const more = async () => new Set((await Promise.all(Array.from({ length: 50 }, fail))).map(({ status }) => status));
    // Each process counts for itself: with two, so many again.
    if (!isOneProcess) await expect.poll(more, { timeout: 20_000 }).toEqual(new Set([429]));
    expectError(await fail(), 429, "rate_limited");
    expectSuccess(await ask("/me", { query: { auth: user.token }, network }));
    expectError(await ask("/me", { network }), 401, "missing_token");
    expectInvalid(await ask("/me", { query: { auth: unknownToken() }, network: newNetwork().id }));
  });
else
  test("where nobody vouches for an address, nothing of it counts, and nobody is refused for theirs", async () => {
    const fail = () => ask("/me", { query: { auth: unknownToken() } });
    const answers = await Promise.all(Array.from({ length: 310 }, fail));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));

    const [username, { id: network }] = [newUsername(), newNetwork()];
    const guess = async (from?: string) => (await postPassword(origin, username, "wrong password", from)).error;
    for (let guesses = 0; guesses <= env.FAILED_PASSWORDS_PER_10_MINUTES; guesses++)
      expect(await guess(network)).toBe("invalid");
    expect([await guess(network), await guess(newNetwork().id), await guess()]).toEqual(Array(3).fill("invalid"));

    await blockNetwork({ network, seconds: 60, reason: "" }, { actorId: OPERATOR });
    expectSuccess(await ask("/openapi.json", { network }));
  });

test("/me says who the token belongs to, how much that user has, and no secret", async () => {
  const [user, other] = (await makeUsers(2)) as [TestUser, TestUser];
  const { body: me, text } = await as(user, "/me");
  expect(me).toEqual({
    id: user.id,
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
