import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { confirmation, keyRecord } from "@/lib/keys/schema";
import { sized } from "@/tests/support/size";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as } from "./keys";

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

const create = (query: Record<string, string | undefined>) =>
  as(user, "/keys/create", { data: "secret", price: "1", ...query });

test("answers a confirmation and the record of a key that its creator holds", async () => {
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
    creator: user.username,
    isCreator: true,
    owned: true,
    owns: true,
    data: "the secret",
    users: { [user.username]: { time: expect.any(Number) } },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: body?.createdAt,
  });
  const { damaged: _, ...fields } = { ...confirmation.shape, ...keyRecord.shape };
  expect(Object.keys(body ?? {}).toSorted()).toEqual(Object.keys(fields).toSorted());
  const users = body?.users as Record<string, { time: number }>;
  expect(users[user.username]?.time).toBeGreaterThanOrEqual(before);
  expect(users[user.username]?.time).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
});

test("without a name the name is empty, and an empty one may be sent", async () => {
  expect((await create({})).body?.name).toBe("");
  expect((await create({ name: "" })).body?.name).toBe("");
});

const PRICES = "0 -1 1.50 0.000001 -0.5 999999999999999 123456789.123456 12.000000".split(" ");
test.each(PRICES)("price %s is that JSON number", async (price) => {
  const { text, body } = expectSuccess(await create({ price }));
  expect(text).toContain(`"price":${Number(price)},`);
  expect((await as(user, `/keys/get/${body?.key}`)).body?.price).toBe(Number(price));
});

test("any well-formed text without U+0000 and U+FFFD comes back as it was sent", async () => {
  const text = fc
    .string({ unit: "binary", minLength: 1, maxLength: 60 })
    .filter((value) => value.isWellFormed() && !/[\0\uFFFD]/.test(value));
  await fc.assert(
    fc.asyncProperty(text, async (data) => {
      const { body } = expectSuccess(await create({ data }));
      expect(body?.data).toBe(data);
      expect((await as(user, `/keys/get/${body?.key}`)).body?.data).toBe(data);
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
])("a bad %s is refused by its name", async (name, value) => {
  const { body } = expectError(await create({ [name]: value }), 400, "invalid_parameter");
  expect(body?.error).toContain(name);
});

test("a refused key is not made", async () => {
  const fresh = await makeUser();
  await as(fresh, "/keys/create", { data: "x", price: "1e5" });
  await as(fresh, "/keys/create", { data: "", price: "1" });
  expect((await as(fresh, "/keys/mine")).list).toEqual([]);
});

const LIKE_VALUES = ["5", "true", "null", '{"a":1}', "[1,2]", "0x10", "1e5"];
const LIKE_ATTACKS = ["<script>alert(1)</script>", '\'; DROP TABLE "Key"; --', "{{7*7}}", "../../etc", "\u202Eevil"];
test.each([...LIKE_VALUES, ...LIKE_ATTACKS])("as data and as a name, %s is text like any other", async (text) => {
  expect(expectSuccess(await create({ data: text, name: text })).body).toMatchObject({ data: text, name: text });
});
