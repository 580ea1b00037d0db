import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { confirmation, keyRecord } from "@/lib/keys/schema";
import { sized } from "@/tests/support/size";
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

const create = (query: Record<string, string | undefined>) =>
  as(creator, "/keys/create", { data: "secret", price: "1", ...query });
const update = (caller: TestUser, key: string, data?: string) => as(caller, `/keys/update/${id}`, { key, data });
const record = async () => (await as(creator, `/keys/get/${id}`)).body;

test("/keys/create answers a confirmation and the record of a key that its creator holds", async () => {
  const before = Math.floor(Date.now() / 1000);
  const { body } = expectSuccess(await create({ data: "the secret", price: "1.50", name: "My key" }));
  const id = body?.key;
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(body).toMatchObject({
    success: true,
    status: "Key created successfully",
    message: "Key created successfully",
    key: id,
    id,
    name: "My key",
    type: "standard",
    price: 1.5,
    creator: creator.username,
    isCreator: true,
    owned: true,
    owns: true,
    data: "the secret",
    users: { [creator.username]: { time: expect.any(Number) } },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: body?.createdAt,
  });
  const { damaged: _, ...fields } = { ...confirmation.shape, ...keyRecord.shape };
  expect(Object.keys(body ?? {}).toSorted()).toEqual(Object.keys(fields).toSorted());
  const users = body?.users as Record<string, { time: number }>;
  expect(users[creator.username]?.time).toBeGreaterThanOrEqual(before);
  expect(users[creator.username]?.time).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
});

test("without a name the name is empty, and an empty one may be sent", async () => {
  expect((await create({})).body?.name).toBe("");
  expect((await create({ name: "" })).body?.name).toBe("");
});

const PRICES = "0 -1 1.50 0.000001 -0.5 999999999999999 123456789.123456 12.000000".split(" ");
test.each(PRICES)("price %s is that JSON number", async (price) => {
  const { text, body } = expectSuccess(await create({ price }));
  expect(text).toContain(`"price":${Number(price)},`);
  expect((await as(creator, `/keys/get/${body?.key}`)).body?.price).toBe(Number(price));
});

test("any well-formed text without U+0000 and U+FFFD comes back as it was sent", async () => {
  const text = fc
    .string({ unit: "binary", minLength: 1, maxLength: 60 })
    .filter((value) => value.isWellFormed() && !/[\0\uFFFD]/.test(value));
  await fc.assert(
    fc.asyncProperty(text, async (data) => {
      const { body } = expectSuccess(await create({ data }));
      expect(body?.data).toBe(data);
      expect((await as(creator, `/keys/get/${body?.key}`)).body?.data).toBe(data);
    }),
    { numRuns: sized(25, 150) },
  );
});

test("a name of 100 characters beyond the basic plane is not too long", async () => {
  const name = "\u{1F511}".repeat(100);
  expect(expectSuccess(await create({ name })).body?.name).toBe(name);
});

const NO_PRICES = "1e5 1E5 0x10 007 00 NaN Infinity -Infinity 1,5 1. .5 +1 - --1 -0 -0.0 1_000 ١".split(" ");
const TOO_MANY_DIGITS = ["1234567890123456", "0.1234567", "1234567890.123456"];
test.each(["", " 1", "1 ", ...NO_PRICES, ...TOO_MANY_DIGITS])("price %j is refused by its name", async (price) => {
  expect(expectError(await create({ price }), 400, "invalid_parameter").body?.error).toContain("price");
});

test.each([
  ["data", ""],
  ["name", "x".repeat(101)],
])("a bad %s is refused by its name, and no key is made", async (name, value) => {
  const { body } = expectError(await create({ [name]: value }), 400, "invalid_parameter");
  expect(body?.error).toContain(name);
  expect((await as(creator, "/keys/mine")).list).toHaveLength(1);
});

const LIKE_VALUES = ["5", "true", "null", '{"a":1}', "[1,2]", "0x10", "1e5"];
const LIKE_ATTACKS = ["<script>alert(1)</script>", '\'; DROP TABLE "Key"; --', "{{7*7}}", "../../etc", "\u202Eevil"];
test.each([...LIKE_VALUES, ...LIKE_ATTACKS])("as data and as a name, %s is text like any other", async (text) => {
  expect(expectSuccess(await create({ data: text, name: text })).body).toMatchObject({ data: text, name: text });
});

test("/keys/update with the key's own id changes the data, and answers a confirmation and the record", async () => {
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
])("/keys/update with the name %s changes that field alone", async (key, data, expected) => {
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
