import { beforeAll, expect, test, vi } from "vitest";

beforeAll(() => {
  vi.stubEnv("LINK_TOKEN", "own");
  vi.resetModules();
});

test("with LINK_TOKEN=own, a program gets its own unless the user chooses otherwise", async () => {
  const { askForCode } = await import("@/lib/link/ask");
  const { approveRequest } = await import("@/lib/link/decide");
  const { findTokenCaller } = await import("@/lib/access-tokens/find");
  const { viewRequest } = await import("@/lib/link/view");
  const { collect, at, PROGRAM } = await import("./flow");
  const { makeUser } = await import("@/tests/support/user");
  const { newNetwork } = await import("@/tests/support/network");

  const [user, network] = [await makeUser(), newNetwork()];
  const person = { id: user.id, network };
  const asked = () => askForCode({ network, program: PROGRAM, webPage: null }, at(0));
  const first = await asked();
  const own = { access: "everything", days: null };
  expect(await viewRequest(person, first.id, at(1))).toMatchObject({ access: null, proposed: own });
  await approveRequest(person, first.id, at(1));
  const token = String((await collect(first.code, network, at(2)))?.token);
  expect(await findTokenCaller(token, at(3))).toMatchObject({ accessToken: { name: "curl", access: "everything" } });

  const second = await asked();
  await approveRequest(person, second.id, at(1), "account");
  expect(await collect(second.code, network, at(2))).toEqual({ token: user.token });
});
