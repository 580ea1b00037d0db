import { beforeAll, describe, expect, test } from "vitest";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import { covers } from "@/lib/platform/access";
import { mintAccessToken } from "@/lib/platform/crypto/tokens";
import { db } from "@/lib/platform/db/client";
import { removeToken } from "@/lib/user-data/revoke-token";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { newKey } from "./keys";
import { approve, linkedBy, poll } from "./link";
import { named, WITH_TOKEN } from "./routes";

let user: TestUser;
const tokens = { everything: "", read: "", identity: "", expired: "", removed: "", disabled: "" };

const EVERYTHING = { access: "everything", days: null } as const;

beforeAll(async () => {
  user = await makeUser();
  const audience = WITH_TOKEN.find(({ path }) => path === "/generate_validator")?.query.key;
  for (const access of ["everything", "read", "identity"] as const)
    tokens[access] = (await createToken(user.id, { name: access, access, days: null, audience })).token;
  const expired = await createToken(user.id, { name: "expired", access: "everything", days: 1 });
  await db.accessToken.update({ where: { id: expired.id }, data: { expiresAt: new Date() } });
  const removed = await createToken(user.id, { name: "removed", ...EVERYTHING });
  expectSuccess(await ask("/me", { query: { auth: removed.token } }));
  await removeToken(user.id, { id: removed.id });
  const other = await makeUser();
  const disabled = await createToken(other.id, { name: "disabled", ...EVERYTHING });
  await db.user.update({ where: { id: other.id }, data: { disabledAt: new Date() } });
  Object.assign(tokens, { expired: expired.token, removed: removed.token, disabled: disabled.token });
});

describe.each(named(WITH_TOKEN))("%s", (_, { path, query, needs: needed }) => {
  const sent = (auth: string) => ask(path, { query: { ...query, auth } });

  test.each(["everything", "read", "identity"] as const)(
    "answers a token with access to %s as it may",
    async (access) => {
      const answer = await sent(tokens[access]);
      if (covers(access, needed)) {
        const asAccount = await sent(user.token);
        expect([answer.status, answer.body?.code]).toEqual([asAccount.status, asAccount.body?.code]);
        return;
      }
      const { body } = expectError(answer, 403, "token_access");
      expect(body?.error).toBe(
        `This token has the access "${access}". This request needs a token with the access "${needed}".`,
      );
      const bearer = await ask(path, { query, headers: { Authorization: `Bearer ${tokens[access]}` } });
      expectError(bearer, 403, "token_access");
    },
  );

  test("refuses a token that expired, was removed, or is of a disabled user", async () => {
    expectError(await sent(tokens.expired), 401, "invalid_token");
    expectError(await sent(tokens.removed), 401, "invalid_token");
    expectError(await sent(tokens.disabled), 403, "account_disabled");
    expectError(await sent(mintAccessToken().token), 401, "invalid_token");
  });
});

test("the access is checked with the token, before the parameters", async () => {
  expectError(await ask("/keys/create", { query: { auth: tokens.read } }), 403, "token_access");
  expectError(await ask("/keys/create", { query: { auth: tokens.everything } }), 400, "missing_parameter");
});

test("/me says with which token it was asked; with the access identity, it says the name and role only", async () => {
  const me = async (auth: string) => expectSuccess(await ask("/me", { query: { auth } })).body;
  const account = await me(user.token);
  expect(account?.token).toEqual({ name: null, access: "everything", expiresAt: null });
  expect(await me(tokens.read)).toEqual({ ...account, token: { name: "read", access: "read", expiresAt: null } });
  expect(await me(tokens.identity)).toEqual({ id: user.id, username: user.username, role: "user" });
  const { token, expiresAt } = await createToken(user.id, { name: "a month", access: "read", days: 30 });
  expect((await me(token))?.token).toEqual({ name: "a month", access: "read", expiresAt: expiresAt?.toISOString() });
});

test("what a program does with its own token is in the key's history with its name", async () => {
  const owner = await makeUser();
  const { token } = await createToken(owner.id, { name: "Shop", ...EVERYTHING });
  const key = await newKey({ ...owner, token });
  await ask(`/keys/update/${key}`, { query: { auth: owner.token, key: "name", data: "by hand" } });
  const events = await db.auditEvent.findMany({ where: { subjectId: key }, orderBy: { id: "asc" } });
  expect(events.map(({ action, actorId, detail }) => [action, actorId, JSON.parse(detail).through])).toEqual([
    ["key.create", owner.id, "Shop"],
    ["key.update", owner.id, undefined],
  ]);
});

describe("/link/code with a name and an access", () => {
  test("answers as without them, and links the program with a token of its own", async () => {
    const network = newNetwork().id;
    const answer = await ask("/link/code", { query: { name: "My Tool", access: "read" }, network });
    expect(expectSuccess(answer).body).toEqual({ code: expect.stringMatching(/^[A-Z]{6}$/) });
    const code = String(answer.body?.code);
    expect((await poll(code, network)).text).toBe('{"linked":false,"token":""}');
    await approve(code, user);
    const collected = expectSuccess(await poll(code, network)).body;
    expect(collected).toEqual({ linked: true, token: expect.stringMatching(/^lkt_[A-Za-z0-9_-]{43}[A-Za-z0-9]{6}$/) });
    const { body } = await ask("/me", { query: { auth: String(collected?.token) } });
    expect(body).toMatchObject({ username: user.username, token: { access: "read" } });
  });

  test.each([
    ...["", "   ", "a\nb", "a\u202eb"].map((name) => ({ name })),
    ...["", "admin", "READ"].map((access) => ({ access })),
    { permissions: "account:view,".repeat(77) },
  ])("refuses %j, and gives no code", async (query) => {
    expectError(await ask("/link/code", { query }), 400, "invalid_parameter");
  });

  test("refuses each of them if it is repeated", async () => {
    for (const query of ["name=a&name=b", "access=read&access=read", "permissions=a&permissions=a"])
      expectError(await ask(`/link/code?${query}`), 400, "duplicate_parameter");
  });
});

/** The token that a program gets which asks for a code with this, and whose user changes nothing. */
async function tokenFor(query: Record<string, string>, headers?: Record<string, string>) {
  const { user: person, token: collected } = await linkedBy(query, headers);
  const [token] = await tokensOf(person.id);
  return { isAccounts: collected === person.token, access: token?.access, name: token?.name };
}

test.each([
  ["account:view", "identity"],
  ["account:*, validators:generate", "identity"],
  ["posts:*,friends:add,rotur:everything", "identity"],
  ["", "identity"],
  [" Keys:View ,account:view", "read"],
  ["files:read", "read"],
  ["keys:view,files:write", "everything"],
  ["keys:*", "everything"],
  ["*", "everything"],
  ["keys:unheard_of,keyset:edit", "identity"],
])("/link/code with the permissions %j gives a token of its own for %s", async (permissions, access) => {
  expect(await tokenFor({ name: "Old", permissions })).toEqual({ isAccounts: false, access, name: "Old" });
});

test("of permissions and an access, the narrower counts", async () => {
  expect(await tokenFor({ permissions: "keys:*", access: "read" })).toMatchObject({ access: "read" });
  expect(await tokenFor({ permissions: "account:view", access: "everything" })).toMatchObject({ access: "identity" });
});

test("a web page gets a token of its own, without asking for one", async () => {
  const origin = { Origin: "https://game.example", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "cross-site" };
  const own = { isAccounts: false, access: "everything", name: "game.example" };
  expect(await tokenFor({}, origin)).toEqual(own);
  expect(await tokenFor({})).toMatchObject({ isAccounts: true });
});

test.each([
  [`${"x".repeat(39)}\u{1D49C}`, `${"x".repeat(39)}\u{1D49C}`],
  [`${"x".repeat(39)}e\u0301 and more`, "x".repeat(39)],
  [`${"x".repeat(39)} ${"y".repeat(6_000)}`, "x".repeat(39)],
  ["\u{1D49C}".repeat(50), "\u{1D49C}".repeat(40)],
])("a name longer than 40 characters is cut, never within one: %j", async (name, shown) => {
  expect(await tokenFor({ name, access: "read" })).toMatchObject({ name: shown });
});
