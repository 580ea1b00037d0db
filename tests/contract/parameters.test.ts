import { beforeAll, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, NO_KEY, newKey } from "./keys";
import { named, WITH_PARAMETERS } from "./routes";

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

const create = (rawQuery: string) => ask(`/keys/create?auth=${user.token}&${rawQuery}`);

// These tell a guesser nothing: whatever is wrong with the code, the answer is the same.
const ALIKE = ["/link/user", "/link/status"];
const judged = WITH_PARAMETERS.filter(({ pattern }) => !ALIKE.includes(pattern));

test("+ is a space, %2B is a plus, and what follows the first = belongs to the value", async () => {
  expect(expectSuccess(await create("data=a+b%2Bc=d==&price=1")).body?.data).toBe("a b+c=d==");
});

test("unknown parameters are ignored, whatever they hold and however often they are sent", async () => {
  const unknown = "other=1&other=2&nul=%00&half=%ed%a0%80&__proto__=1&constructor=2&toString=3";
  expectSuccess(await create(`data=x&price=1&${unknown}`));
});

test.each(named(judged))("%s names a parameter that is missing or sent twice", async (_, { path, query, required }) => {
  const sent = new URLSearchParams({ ...query, auth: user.token });
  for (const name of required) {
    const missing = await ask(path, { query: { ...query, auth: user.token, [name]: undefined } });
    expect(expectError(missing, 400, "missing_parameter").body?.error).toContain(name);
    const twice = await ask(`${path}?${sent}&${new URLSearchParams({ [name]: query[name] ?? "" })}`);
    expect(expectError(twice, 400, "duplicate_parameter").body?.error).toContain(name);
  }
});

const BAD = ["%00", "a%00b", "%ef%bf%bd", "%ff", "%c3", "%c0%af", "%ed%a0%80", "%f5%80%80%80", "%e2%82"];
// How a value is read is the same everywhere, so one route meets all of them.
test.each(named(judged))("%s names a parameter that is no text", async (pattern, { path, query, required }) => {
  for (const name of required)
    for (const bad of pattern === "/keys/create" ? BAD : BAD.slice(0, 1)) {
      const others = new URLSearchParams({ ...query, auth: user.token });
      others.delete(name);
      const answer = await ask(`${path}?${others}&${name}=${bad}`);
      expect(expectError(answer, 400, "invalid_parameter").body?.error).toContain(name);
    }
});

test("user and username mean the same: both agreeing is fine, both differing is refused", async () => {
  const id = await newKey(user);
  const { username } = user;
  const add = (names: string) => ask(`/keys/admin_add/${id}?auth=${user.token}&key=${id}&${names}`);
  for (const names of [`user=${username}`, `username=${username}`, `user=${username}&username=${username}`])
    expectSuccess(await add(names));
  expectError(await add(`user=${username}&username=other`), 400, "invalid_parameter");
  expectError(await add(`user=${username}&user=${username}`), 400, "duplicate_parameter");
  expectError(await ask(`/keys/revoke/${id}?auth=${user.token}&user=a&user=a`), 400, "duplicate_parameter");
});

test("a parameter of the path is read from the path, never from the query", async () => {
  const id = await newKey(user);
  expectError(await as(user, `/keys/get/${NO_KEY}`, { id, nxtPid: id }), 404, "key_not_found");
});
