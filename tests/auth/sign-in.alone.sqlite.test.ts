import { describe, expect, test, vi } from "vitest";
import { rememberBrowser } from "@/lib/accounts/session/remembered-browser";
import { openSession } from "@/lib/accounts/session/sessions";
import { changePassword } from "@/lib/accounts/ways-in/change-password";
import { provePassword } from "@/lib/accounts/ways-in/confirm";
import { createUser } from "@/lib/accounts/ways-in/create";
import { passwordHashOf } from "@/lib/accounts/ways-in/passwords";
import { authenticate } from "@/lib/accounts/ways-in/sign-in";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import type { Network } from "@/lib/platform/network/network";
import { newNetwork } from "@/tests/support/request";
import { codeOf } from "@/tests/support/statements";
import { newUsername, signedIn } from "@/tests/support/user";

// Each guess costs a hash, so the limits are reached sooner here than by default.
vi.hoisted(() =>
  Object.assign(process.env, {
    FAILED_PASSWORDS_PER_10_MINUTES: "2",
    FAILED_PASSWORDS_PER_NETWORK_10_MINUTES: "4",
    FAILED_PASSWORDS_PER_NAME_10_MINUTES: "8",
  }),
);

const PASSWORD = "correct horse battery";
const {
  FAILED_PASSWORDS_PER_10_MINUTES: PER_ACCOUNT,
  FAILED_PASSWORDS_PER_NETWORK_10_MINUTES: PER_NETWORK,
  FAILED_PASSWORDS_PER_NAME_10_MINUTES: PER_NAME,
} = env;

const guess = (username: string, network: Network, cookie?: string) =>
  codeOf(authenticate(username, "wrong password", { network, cookie }));
const signIn = (username: string, network: Network, cookie?: string) =>
  codeOf(authenticate(username, PASSWORD, { network, cookie }));
const makeOwner = () => createUser({ username: newUsername(), password: PASSWORD });

/** How many guesses are looked at. A few at a time: the queue of hashes is not what is looked at here. */
async function judged(count: number, guessOf: (n: number) => Promise<string>): Promise<number> {
  let wrong = 0;
  for (let from = 0; from < count; from += 10) {
    const some = Array.from({ length: Math.min(10, count - from) }, (_, n) => guessOf(from + n));
    const codes = await Promise.all(some);
    for (const code of codes) expect(["wrong_password", "rate_limited"]).toContain(code);
    wrong += codes.filter((code) => code === "wrong_password").length;
  }
  return wrong;
}

/** A /48 that no other test has, and its /64s. */
function newSite(): (n: number) => Network {
  const [a, b] = [newId().slice(0, 4), newId().slice(0, 4)].map((group) => Number.parseInt(group, 16).toString(16));
  return (n) => ({ kind: "remote", id: `2001:${a}:${b}:${n.toString(16)}::/64` });
}

const cookieOf = async (id: string, before?: string) =>
  rememberBrowser(before, { id, passwordHash: await passwordHashOf(id) });

describe("guesses", () => {
  test("at one account end at its limit, from one /48 or from anywhere, and close no other account", async () => {
    const site = newSite();
    const networks = Array.from({ length: 30 }, newNetwork);
    const [one, two, other] = await Promise.all([makeOwner(), makeOwner(), makeOwner()]);
    expect(await judged(30, (n) => guess(one.username, site(n)))).toBe(PER_NAME);
    expect(await judged(30, (n) => guess(two.username, networks[n % 30] as Network))).toBe(PER_NAME);
    expect(await signIn(other.username, networks[0] as Network)).toBe("ok");
  });

  test("of one network end at its limit, whatever names they try, and of a /56 at four times that", async () => {
    const [network, site] = [newNetwork(), newSite()];
    expect(await judged(PER_NETWORK + 10, () => guess(newUsername(), network))).toBe(PER_NETWORK);
    expect(await judged(4 * PER_NETWORK + 10, (n) => guess(newUsername(), site(n % 200)))).toBe(4 * PER_NETWORK);
  });

  test("that a network's own limit refuses do not close the account for others", async () => {
    const { username } = await makeOwner();
    const network = newNetwork();
    expect(await judged(3 * PER_NAME, () => guess(username, network))).toBe(PER_ACCOUNT);
    expect(await signIn(username, newNetwork())).toBe("ok");
  });
});

describe("a browser that signed in before", () => {
  /** An account that strangers have locked, its owner's network too. */
  async function locked(network: Network) {
    const owner = await makeOwner();
    const cookie = await cookieOf(owner.id);
    const networks = [network, ...Array.from({ length: 6 }, newNetwork)];
    for (const one of networks) await judged(PER_ACCOUNT, () => guess(owner.username, one));
    await judged(PER_NETWORK, () => guess(newUsername(), network));
    expect(await signIn(owner.username, network)).toBe("rate_limited");
    expect(await signIn(owner.username, newNetwork())).toBe("rate_limited");
    return { ...owner, cookie };
  }

  test("is not needed where its account was signed in before, and guesses there are few", async () => {
    const [home, before] = [newNetwork(), newNetwork()];
    const { id, username } = await locked(before);
    await openSession({ id }, { userAgent: "a browser", network: home.id });
    expect(await signIn(username, home)).toBe("ok");
    expect(await judged(PER_ACCOUNT + 8, () => guess(username, home))).toBe(PER_ACCOUNT);
    expect(await signIn(username, newNetwork())).toBe("rate_limited");
  });

  test("is let through when guesses have locked its account, from its own network too", async () => {
    const network = newNetwork();
    const { username, cookie } = await locked(network);
    expect(await signIn(username, network, cookie)).toBe("ok");
    expect(await signIn(username, newNetwork(), cookie)).toBe("ok");
  });

  test("has its own counter, and a stolen one has no more than that", async () => {
    const owner = await makeOwner();
    const cookie = await cookieOf(owner.id);
    expect(await judged(PER_ACCOUNT + 8, () => guess(owner.username, newNetwork(), cookie))).toBe(PER_ACCOUNT);
    expect(await signIn(owner.username, newNetwork(), cookie)).toBe("rate_limited");
    // Another browser of the owner's is not the thief's.
    expect(await signIn(owner.username, newNetwork(), await cookieOf(owner.id))).toBe("ok");
  });

  test("is known for its own accounts only, and for no changed cookie", async () => {
    const [one, two, stranger] = await Promise.all([makeOwner(), makeOwner(), makeOwner()]);
    const both = await cookieOf(two.id, await cookieOf(one.id));
    const network = newNetwork();
    for (const { username } of [one, two, stranger]) await judged(PER_ACCOUNT, () => guess(username, network));
    expect(await signIn(one.username, network, both)).toBe("ok");
    expect(await signIn(two.username, network, both)).toBe("ok");
    expect(await signIn(stranger.username, network, both)).toBe("rate_limited");
    for (const forged of [`${both.slice(0, -8)}AAAAAAA=`, "", "[]", "x".repeat(4_000)])
      expect(await signIn(one.username, network, forged)).toBe("rate_limited");
  });

  test("stays known when it signs in again, and forgets the longest unused account after three", async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, makeOwner));
    let cookie: string | undefined;
    for (const { id } of owners) cookie = await cookieOf(id, cookie);
    const network = newNetwork();
    for (const { username } of owners) await judged(PER_ACCOUNT, () => guess(username, network));
    const codes = await Promise.all(owners.map(({ username }) => signIn(username, network, cookie)));
    expect(codes).toEqual(["rate_limited", "ok", "ok", "ok"]);
    expect(cookie?.length).toBeLessThan(700);
  });

  test("is unknown once the password is changed: who once had it keeps no cookies to guess with", async () => {
    const owner = await makeOwner();
    const before = await cookieOf(owner.id);
    await changePassword(
      await signedIn(owner),
      { current: PASSWORD, next: "another password" },
      { network: newNetwork() },
    );
    const network = newNetwork();
    await judged(PER_ACCOUNT, () => guess(owner.username, network));
    expect(await guess(owner.username, network, before)).toBe("rate_limited");
    expect(await guess(owner.username, network, await cookieOf(owner.id))).toBe("wrong_password");
  });
});

test("who is signed in proves the password though strangers locked the account, and guesses as few", async () => {
  const owner = await makeOwner();
  const [here, there] = [await signedIn(owner), await signedIn(owner)];
  const network = newNetwork();
  await judged(PER_ACCOUNT, () => guess(owner.username, network));
  expect(await codeOf(provePassword(here, PASSWORD, { network }))).toBe("ok");
  const guessed = await judged(PER_ACCOUNT + 6, () =>
    codeOf(provePassword(here, "wrong password", { network: newNetwork() })),
  );
  expect(guessed).toBe(PER_ACCOUNT);
  expect(await codeOf(provePassword(here, PASSWORD, { network: newNetwork() }))).toBe("rate_limited");
  expect(await codeOf(provePassword(there, PASSWORD, { network: newNetwork() }))).toBe("ok");
  expect(await signIn(owner.username, newNetwork())).toBe("ok");
});

describe("where networks mean nothing", () => {
  test.each([
    ["shared", "unconfigured proxy"],
    ["unknown", "unknown"],
  ] as const)("one person's wrong passwords lock nobody else out (%s)", async (kind, id) => {
    const network: Network = { kind, id };
    const { username } = await makeOwner();
    const many = PER_NAME + PER_ACCOUNT;
    expect(await judged(many, () => guess(username, network))).toBe(many);
    expect(await signIn(username, network)).toBe("ok");
    expect(await signIn((await makeOwner()).username, network)).toBe("ok");
  });

  test("who is at the machine itself is limited for each account alone, and by no stranger", async () => {
    const local: Network = { kind: "local", id: "loopback" };
    const { username } = await makeOwner();
    const networks = Array.from({ length: 11 }, newNetwork);
    await judged(PER_NAME, (n) => guess(username, networks[n % 11] as Network));
    expect(await signIn(username, newNetwork())).toBe("rate_limited");
    expect(await signIn(username, local)).toBe("ok");
    expect(await judged(PER_ACCOUNT + 5, () => guess(username, local))).toBe(PER_ACCOUNT);
    expect(await signIn((await makeOwner()).username, local)).toBe("ok");
  });
});
