import { beforeAll, describe, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { chunks, root, values } from "@/tests/support/documents";
import { ask } from "@/tests/support/http";
import { makeUsers, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, newKey, share } from "./keys";
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

describe("a link with every address under /v2", () => {
  test("works as without", async () => {
    const asked = expectSuccess(await ask("/v2/link/code", { query: { name: "Old", permissions: "account:view" } }));
    const code = String(asked.body?.code);
    const headers = { "Link-Secret": String(asked.headers["link-secret"]) };
    const poll = (path: string) => ask(path, { query: { code }, headers });
    expect((await poll("/v2/link/status")).text).toBe('{"status":"pending"}');
    expect((await poll("/v2/link/user")).text).toBe('{"linked":false,"token":""}');
    await approve(code, holder);
    expect(expectSuccess(await poll("/v2/link/status")).body).toEqual({ status: "linked" });
    const { body } = expectSuccess(await poll("/v2/link/user"));
    const me = await ask("/v2/me", { headers: { Authorization: `Bearer ${body?.token}` } });
    expect(me.body).toEqual({ id: holder.id, username: holder.username, role: "user" });
  });
});

test("/keys/cancel is a holder's leaving, and nobody else's", async () => {
  await share(user, key, holder);
  expectError(await as(user, `/keys/cancel/${key}`), 400, "creator_access");
  for (const revoked of [true, false])
    expect(expectSuccess(await as(holder, `/keys/cancel/${key}`)).body).toMatchObject({
      user: holder.username,
      revoked,
    });
  expect((await as(holder, `/keys/get/${key}`)).body).toMatchObject({ owned: false, data: null });
});

test("the id of a user is that of /me for every token, and of nobody else", async () => {
  const ids = await Promise.all([user, user, holder].map(async (one) => (await as(one, "/me")).body?.id));
  expect(ids).toEqual([user.id, user.id, holder.id]);
});
