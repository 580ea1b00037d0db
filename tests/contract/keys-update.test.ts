import { beforeEach, expect, test } from "vitest";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, NO_KEY, newKey, share } from "./keys";

let creator: TestUser;
let other: TestUser;
let id: string;
beforeEach(async () => {
  [creator, other] = (await makeUsers(2)) as [TestUser, TestUser];
  id = await newKey(creator, { data: "before", price: "1", name: "Name" });
});

const update = (caller: TestUser, key: string, data?: string) => as(caller, `/keys/update/${id}`, { key, data });
const record = async () => (await as(creator, `/keys/get/${id}`)).body;

test("with the key's own id it changes the data, and answers a confirmation and the record", async () => {
  const created = await record();
  const { body } = expectSuccess(await update(creator, id, "after"));
  const confirmation = { success: true, status: body?.message, message: expect.any(String) };
  expect(body).toEqual({ ...(await record()), ...confirmation, changed: true });
  expect(body).toMatchObject({ data: "after", price: 1, name: "Name", createdAt: created?.createdAt });
  expect(Date.parse(String(body?.updatedAt))).toBeGreaterThanOrEqual(Date.parse(String(created?.updatedAt)));
});

test.each([
  ["data", "after", { data: "after", price: 1, name: "Name" }],
  ["name", "New name", { data: "before", price: 1, name: "New name" }],
  ["name", "", { data: "before", price: 1, name: "" }],
  ["price", "-2.50", { data: "before", price: -2.5, name: "Name" }],
])("with the name %s it changes that field alone", async (key, data, expected) => {
  expect(expectSuccess(await update(creator, key, data)).body).toMatchObject({ ...expected, changed: true });
  expect(await record()).toMatchObject(expected);
});

test("without data nothing changes", async () => {
  const before = await record();
  for (const key of [id, "data", "name", "price"]) {
    const { body } = expectSuccess(await update(creator, key));
    expect(body).toMatchObject({ success: true, changed: false, data: "before" });
  }
  expect(await record()).toEqual(before);
});

test("nothing, a number, a word or JSON is kept as the string that was sent", async () => {
  for (const data of ["", "5", "true", "null", "undefined", '{"a":1}', "1.50", "0", " "]) {
    expect(expectSuccess(await update(creator, "data", data)).body?.data).toBe(data);
    expect((await record())?.data).toBe(data);
  }
});

test("/keys/name changes the name alone", async () => {
  const { body } = expectSuccess(await as(creator, `/keys/name/${id}`, { name: "Guest room" }));
  expect(body).toMatchObject({ success: true, name: "Guest room", changed: true, data: "before", price: 1 });
  expectError(await as(other, `/keys/name/${id}`, { name: "Mine" }), 403, "not_creator");
  expectError(await as(creator, `/keys/name/${id}`, { name: "x".repeat(101) }), 400, "invalid_parameter");
  expect(await record()).toMatchObject({ name: "Guest room" });
});

test("holders see the new data at once", async () => {
  await share(creator, id, other);
  await update(creator, "data", "after");
  expect((await as(other, `/keys/get/${id}`)).body?.data).toBe("after");
});

test.each(["creator", "type", "users", "id", "", "DATA", NO_KEY, "__proto__"])(
  "the field %j is refused, naming what is allowed",
  async (key) => {
    const sentence = expectError(await update(creator, key, "x"), 400, "invalid_parameter").body?.error;
    for (const allowed of ["data", "name", "price"]) expect(sentence).toContain(allowed);
  },
);

test.each([
  ["price", "1e5"],
  ["price", ""],
  ["name", "x".repeat(101)],
])("a bad %s is refused and changes nothing", async (key, data) => {
  const before = await record();
  expect(expectError(await update(creator, key, data), 400, "invalid_parameter").body?.error).toContain(key);
  expect(await record()).toEqual(before);
});

test("holders and strangers change nothing, with and without data", async () => {
  await share(creator, id, other);
  for (const caller of [other, await makeUser()])
    for (const data of ["x", undefined]) expectError(await update(caller, "data", data), 403, "not_creator");
  expect((await record())?.data).toBe("before");
});

test("an admin changes a key and still does not see its data", async () => {
  const response = expectSuccess(await update(await makeUser({ role: "admin" }), "price", "9"));
  expect(response.body).toMatchObject({ price: 9, changed: true, data: null });
  expect(response.text).not.toContain("before");
});
