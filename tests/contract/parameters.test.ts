import { beforeAll, describe, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectError, expectNotLinked, expectSuccess, expectUnknown } from "./answers";
import { named, ROUTES, WITH_PARAMETERS } from "./routes";

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

const create = (rawQuery: string) => ask(`/keys/create?auth=${user.token}&${rawQuery}`);

// These tell a guesser nothing: whatever is wrong with the code, the answer is the same.
const ALIKE = ["/link/user", "/link/status"];
const judged = WITH_PARAMETERS.filter(({ pattern }) => !ALIKE.includes(pattern));

describe("happy", () => {
  test("+ is a space, %2B is a plus, and what follows the first = belongs to the value", async () => {
    expect(expectSuccess(await create("data=a+b%2Bc=d==&price=1")).body?.data).toBe("a b+c=d==");
  });

  test("unknown parameters are ignored, whatever they hold and however often they are sent", async () => {
    expectSuccess(
      await create("data=x&price=1&other=1&other=2&nul=%00&half=%ed%a0%80&__proto__=1&constructor=2&toString=3"),
    );
  });

  test("names and values may be encoded in any way", async () => {
    expect(expectSuccess(await create("%64ata=%78%79&pr%69ce=%31")).body).toMatchObject({ data: "xy", price: 1 });
  });

  test("a body of a GET is not looked at", async () => {
    expectSuccess(
      await ask("/me", {
        query: { auth: user.token },
        headers: { "Content-Length": "0", "Content-Type": "application/json" },
      }),
    );
  });
});

describe("error", () => {
  test.each(named(judged))("%s names a missing parameter", async (_, { path, query, required }) => {
    for (const missing of required) {
      const answer = await ask(path, { query: { ...query, auth: user.token, [missing]: undefined } });
      expect(expectError(answer, 400, "missing_parameter").body?.error).toContain(missing);
    }
  });

  test.each(named(judged))(
    "%s refuses a parameter that is sent twice, even with equal values",
    async (_, { path, query, required }) => {
      const sent = new URLSearchParams({ ...query, auth: user.token });
      for (const twice of required) {
        const answer = await ask(`${path}?${sent}&${twice}=${query[twice]}`);
        expect(expectError(answer, 400, "duplicate_parameter").body?.error).toContain(twice);
      }
    },
  );

  test.each(named(judged))(
    "%s refuses U+0000, U+FFFD, bytes that are no UTF-8 and halves of surrogate pairs",
    async (_, { path, query, required }) => {
      for (const name of required)
        for (const bad of [
          "%00",
          "a%00b",
          "%ef%bf%bd",
          "%ff",
          "%c3",
          "%c0%af",
          "%ed%a0%80",
          "%f5%80%80%80",
          "%e2%82",
        ]) {
          const others = new URLSearchParams({ ...query, auth: user.token });
          others.delete(name);
          expect(
            expectError(await ask(`${path}?${others}&${name}=${bad}`), 400, "invalid_parameter").body?.error,
          ).toContain(name);
        }
    },
  );

  test("user and username mean the same: both agreeing is fine, both differing is refused", async () => {
    const id = expectSuccess(await create("data=x&price=1")).body?.key;
    const add = (names: string) => ask(`/keys/admin_add/${id}?auth=${user.token}&key=${id}&${names}`);
    expectSuccess(await add(`user=${user.username}`));
    expectSuccess(await add(`username=${user.username}`));
    expectSuccess(await add(`user=${user.username}&username=${user.username}`));
    expectError(await add(`user=${user.username}&username=other`), 400, "invalid_parameter");
    expectError(await add(`user=${user.username}&user=${user.username}`), 400, "duplicate_parameter");
    const revoke = (names: string) => ask(`/keys/revoke/${id}?auth=${user.token}&${names}`);
    expectError(await revoke(`user=a&user=a`), 400, "duplicate_parameter");
  });

  test.each([
    "",
    "code=",
    "code=abc",
    "code=ABCDEFG",
    "code=KMTRWB&code=KMTRWB",
    "code=%00",
    "code=%ff",
    "code=KM-TRW",
    "code=+KMTRWB",
    "code=abcd%C3%9F",
  ])("/link/user and /link/status answer %j like any other code", async (query) => {
    expectNotLinked(await ask(`/link/user?${query}`));
    expectUnknown(await ask(`/link/status?${query}`));
  });
});

describe("security", () => {
  test.each(named(ROUTES))("%s is not confused by names that objects have", async (_, { path }) => {
    for (const name of ["__proto__", "constructor", "hasOwnProperty"]) {
      const answer = await ask(path, { query: { auth: user.token, [name]: "x" } });
      expect(answer.status).toBeLessThan(500);
    }
  });

  test("a parameter of the path is read from the path, never from the query", async () => {
    const id = expectSuccess(await create("data=mine&price=1")).body?.key;
    expectError(
      await ask(`/keys/get/${"0".repeat(32)}`, { query: { auth: user.token, id: String(id), nxtPid: String(id) } }),
      404,
      "key_not_found",
    );
  });
});
