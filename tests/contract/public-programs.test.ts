import { beforeAll, describe, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { chunks, root, values } from "@/tests/support/documents";
import { ask } from "@/tests/support/http";
import { makeUsers, type TestUser } from "@/tests/support/user";
import { expectError, expectNotLinked, expectSuccess } from "./answers";
import { as, newKey } from "./keys";
import { approve } from "./link";

let user: TestUser;
let holder: TestUser;
let key: string;
beforeAll(async () => {
  [user, holder] = (await makeUsers(2)) as [TestUser, TestUser];
  key = await newKey(user);
  await importDocument(user, chunks(JSON.stringify(values(root(user.username)))));
});

test.each([
  ["/v2/me", "/me"],
  ["/v2/get_user", "/me"],
  ["/get_user", "/me"],
  ["/v2/keys/mine", "/keys/mine"],
  ["/v2/keys/get/KEY", "/keys/get/KEY"],
  ["/v2/keys/check/nobody?key=KEY", "/keys/check/nobody?key=KEY"],
  ["/v2/read-files", "/read-files"],
  ["/v2/files/entries", "/read-files"],
  ["/files/entries", "/read-files"],
  ["/v2/health", "/health"],
])("%s is %s", async (other, path) => {
  const [there, here] = [other, path].map((one) => as(user, one.replace("KEY", key)));
  const [answer, expected] = [await there, await here];
  expect(answer?.status).toBe(200);
  expect([answer?.text, answer?.headers.etag]).toEqual([expected?.text, expected?.headers.etag]);
});

test("a bad path parameter is named under the other address, too", async () => {
  expectError(await as(user, "/v2/keys/get/nothing"), 404, "key_not_found");
  expectError(await ask("/v2/keys/get/nothing"), 401, "missing_token");
});

test.each(["/v2/link", "/v2/keys", "/v2/files", "/v2/nothing", "/v2/keys/nothing/more", "/v2/v2/me", "/v2/admin"])(
  "%s is nothing",
  async (path) => {
    expectError(await as(user, path), 404, "not_found");
  },
);

/** What programs do that were written for other services with this interface. Without `/v2`, all other tests do. */
describe("under /v2", () => {
  const call = (path: string, query: Record<string, string | undefined> = {}) => ask(`/v2${path}`, { query });

  test("an extension asks for the status while it links, with the permissions of another service", async () => {
    const query = { name: "x".repeat(50), permissions: "account:view" };
    const code = String(expectSuccess(await call("/link/code", query)).body?.code);
    const status = async () => (await call("/link/status", { code })).body?.status;
    expect(await status()).toBe("pending");
    expectNotLinked(await call("/link/user", { code: code.toLowerCase() }));
    await approve(code, user);
    expect(await status()).toBe("linked");
    const { body } = expectSuccess(await call("/link/user", { code: code.toLowerCase() }));
    expect(await status()).toBe("collected");
    const auth = String(body?.token);
    expect((await call("/get_user", { auth })).body).toMatchObject({ id: user.id, username: user.username });
    expectError(await call("/keys/mine", { auth }), 403, "token_access");
  });

  test("a chat proves its user to its own server", async () => {
    const asked = { auth: user.token, key: "chat.example.org" };
    const { body } = expectSuccess(await call("/generate_validator", asked));
    const { username, id } = user;
    const proven = await call("/validate", { v: String(body?.validator), key: asked.key });
    expect(proven.body).toEqual({ valid: true, id, username });
  });

  test("a shop sells access, and its customer leaves", async () => {
    const [auth, { username, token }] = [user.token, holder];
    const created = expectSuccess(await call("/keys/create", { auth, data: "5", price: "1.5", name: "Pass" })).body;
    const [key, id] = [String(created?.key), `/${created?.key}`];
    expectSuccess(await call(`/keys/admin_add${id}`, { auth, key, username }));
    expect((await call(`/keys/check/${username}`, { key })).body).toMatchObject({ owns: true });
    expectError(await call(`/keys/cancel${id}`, { auth }), 400, "creator_access");
    for (const revoked of [true, false])
      expect((await call(`/keys/cancel${id}`, { auth: token })).body).toMatchObject({ user: username, revoked });
    expect((await call(`/keys/get${id}`, { auth: token })).body).toMatchObject({ owned: false, data: null });
    expectSuccess(await call(`/keys/revoke${id}`, { auth, key, user: username }));
  });

  test("a desktop reads files by path and by id", async () => {
    const read = (query: object) => call("/files/entries", { auth: user.token, ...query });
    expect((await read({ path: "/" })).list.slice(0, 2)).toEqual([".folder", user.username]);
    expectError(await read({ id: "nothing" }), 404, "no_such_entry");
  });
});

test("/get_user is for tokens only, not for a name and a password", async () => {
  const query = { username: user.username, password: "whatever" };
  expectError(await ask("/get_user", { query }), 401, "missing_token");
  expectError(await ask("/get_user", { query: { auth: "whatever", ...query } }), 401, "invalid_token");
});

test("the id of a user is that of /me for every token, and of nobody else", async () => {
  const ids = await Promise.all([user, user, holder].map(async (one) => (await as(one, "/me")).body?.id));
  expect(ids).toEqual([user.id, user.id, holder.id]);
});
