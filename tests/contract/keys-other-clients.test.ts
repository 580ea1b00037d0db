import { beforeEach, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { makeUsers, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, holdersOf, newKey, share } from "./keys";

let creator: TestUser;
let other: TestUser;
let id: string;
beforeEach(async () => {
  [creator, other] = (await makeUsers(2)) as [TestUser, TestUser];
  id = await newKey(creator);
});

test("/keys/name changes the name as update does, and nothing else", async () => {
  const { body } = expectSuccess(await as(creator, `/keys/name/${id}`, { name: "Guest room" }));
  expect(body).toMatchObject({ success: true, name: "Guest room", changed: true, data: "secret", price: 1 });
  expectError(await as(other, `/keys/name/${id}`, { name: "Mine" }), 403, "not_creator");
  expectError(await as(creator, `/keys/name/${id}`), 400, "missing_parameter");
  expectError(await as(creator, `/keys/name/${id}`, { name: "x".repeat(101) }), 400, "invalid_parameter");
  expect((await as(creator, `/keys/get/${id}`)).body).toMatchObject({ name: "Guest room" });
});

test("/keys/admin_remove revokes as revoke does, under both names of the user", async () => {
  for (const name of ["username", "user"]) {
    await share(creator, id, other);
    expectError(await as(other, `/keys/admin_remove/${id}`, { [name]: creator.username }), 403, "not_creator");
    const { body } = expectSuccess(await as(creator, `/keys/admin_remove/${id}`, { [name]: other.username }));
    expect(body).toMatchObject({ success: true, key: id, user: other.username, revoked: true });
    expect(await holdersOf(creator, id)).toEqual([creator.username]);
  }
  expectError(await as(creator, `/keys/admin_remove/${id}`, { username: creator.username }), 400, "creator_access");
});

test("what else those clients leave out stays refused", async () => {
  expectError(await as(creator, `/keys/admin_add/${id}`, { username: other.username }), 400, "missing_parameter");
  expectError(await as(creator, "/keys/create", { data: "x" }), 400, "missing_parameter");
  expectError(await as(creator, "/keys/create", { price: "1" }), 400, "missing_parameter");
  expectError(await ask(`/keys/get/${id}`), 401, "missing_token");
});
