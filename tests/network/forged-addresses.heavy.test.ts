import { expect, test } from "vitest";
import { parseProxies } from "@/lib/addresses";
import { authenticate } from "@/lib/auth/authenticate";
import { env } from "@/lib/env";
import type { Network } from "@/lib/network";
import { networkLimiter } from "@/lib/network-limits";
import { clientFinder } from "@/server/client";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";

/**
 * The network of a request, as the process finds it out: with no header, or with what somebody wrote into
 * X-Forwarded-For.
 */
const network = (peer: string, forwardedFor?: string, proxies = "") =>
  clientFinder(parseProxies(proxies) ?? [])({
    peer,
    isForwarded: forwardedFor !== undefined,
    forwardedFor: forwardedFor ?? "",
    isForPort: true,
  }).network;

const guess = (username: string, from: Network, password = "wrong password") =>
  authenticate(username, password, from).then(
    () => "answered",
    (error) => error.code,
  );

/** Wrong passwords, up to the first that is not judged. */
async function guessUntilRefused(username: string, from: () => Network): Promise<number> {
  for (let judged = 0; judged < 100; judged++) if ((await guess(username, from())) === "rate_limited") return judged;
  return 100;
}

test(
  "headers that somebody on the internet writes give no second helping of wrong passwords, for a name " + "and network",
  async () => {
    const [{ username }, peer] = [await makeUser(), newNetwork().id];
    let count = 0;
    const judged = await guessUntilRefused(username, () => network(peer, ++count % 2 ? newNetwork().id : undefined));
    expect(judged).toBe(env.FAILED_PASSWORDS_PER_10_MINUTES);
    expect(await guess(username, network(peer))).toBe("rate_limited");
  },
);

test("nor what somebody writes in front of a trusted proxy", async () => {
  const [{ username }, client] = [await makeUser(), newNetwork().id];
  const judged = await guessUntilRefused(username, () =>
    network("10.0.0.5", `${newNetwork().id}, ${client}`, "private"),
  );
  expect(judged).toBe(env.FAILED_PASSWORDS_PER_10_MINUTES);
  expect(await guess(username, network("10.0.0.5", client, "private"))).toBe("rate_limited");
});

test(
  "wrong passwords of one behind a proxy that nobody configured lock nobody else out, behind it or at " + "home",
  async () => {
    const { username } = await makeUser();
    for (let count = 0; count < 3 * env.FAILED_PASSWORDS_PER_10_MINUTES; count++)
      await guess(username, network("172.18.0.1", newNetwork().id));
    expect(await guess(username, network("172.18.0.1", newNetwork().id))).toBe("wrong_password");
    expect(await guess(username, network("172.18.0.1"))).toBe("wrong_password");
    expect(await guess(username, newNetwork())).toBe("wrong_password");
  },
);

test("limits of networks count who forges headers with who does not, and a proxy near by apart", async () => {
  const limit = networkLimiter(`forged addresses ${newNetwork().id}`, 5, 60);
  const { id } = newNetwork();
  for (const from of [
    network(id),
    network(id, "203.0.113.7"),
    network(id, "10.0.0.1"),
    network(id, "unknown"),
    network(id),
  ])
    expect((await limit.take(from.id)).allowed).toBe(true);
  for (const from of [network(id), network(id, "203.0.113.8")]) expect((await limit.take(from.id)).allowed).toBe(false);
  for (let count = 0; count < 6; count++) await limit.take(network("172.18.0.1", "203.0.113.7").id);
  expect((await limit.take(network("172.18.0.1").id)).allowed).toBe(true);
});

test("and a forger on IPv6 uses up the limit of the whole /48", async () => {
  const limit = networkLimiter(`forged addresses ${newNetwork().id}`, 1, 60);
  const within = (subnet: number) => network(`2001:db8:77:${subnet.toString(16)}::1`, "203.0.113.7");
  const allowed = [];
  for (let subnet = 0; subnet < 40; subnet++) allowed.push((await limit.take(within(256 * subnet).id)).allowed);
  expect(allowed.filter(Boolean)).toHaveLength(16);
});
