import { describe, expect, onTestFinished, test, vi } from "vitest";
import { auditTrail, OPERATOR } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { blockedNetworks, blockNetwork, MAX_BLOCKED, sweepBlocks, unblockNetwork } from "@/lib/platform/network/block";
import { awaitList, isBlocked } from "@/lib/platform/network/blocked";
import { type Network, networkBehind } from "@/lib/platform/network/network";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";

const command = { actorId: OPERATOR };
const block = (network: string, seconds: number | null = 3_600, reason = "") =>
  blockNetwork({ network, seconds, reason }, command);
const client = (id: string): Network => ({ id, kind: "remote" });

async function isRefused(network: Network): Promise<boolean> {
  await awaitList();
  return isBlocked(network);
}

/** A /48 of IPv6 unique to one test. */
function newSite(): string {
  const [a = 0, b = 0, c = 0] = newNetwork().id.split(".").map(Number);
  return `2a0${c % 10}:${(256 * a + b + 4096).toString(16)}:${(c + 256).toString(16)}`;
}

describe("a blocked network", () => {
  test("is refused until somebody unblocks it", async () => {
    const network = newNetwork();
    expect(await isRefused(network)).toBe(false);
    await block(network.id, null, "  floods us ");
    expect(await isRefused(network)).toBe(true);
    const [listed] = await blockedNetworks(1_000).then((all) => all.filter((one) => one.network === network.id));
    expect(listed).toMatchObject({ reason: "floods us", until: null, by: OPERATOR });
    expect(await unblockNetwork(network.id, command)).toBe(network.id);
    expect(await isRefused(network)).toBe(false);
    await expect(unblockNetwork(network.id, command)).rejects.toMatchObject({ status: 404, code: "block_not_found" });
  });

  test("is refused exactly until its time is over, and then swept", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const network = newNetwork();
    await block(network.id, 1);
    expect(await isRefused(network)).toBe(true);
    vi.advanceTimersByTime(999);
    expect(isBlocked(network)).toBe(true);
    vi.advanceTimersByTime(1);
    expect(isBlocked(network)).toBe(false);
    expect((await blockedNetworks(1_000)).map((one) => one.network)).not.toContain(network.id);
    expect(await sweepBlocks()).toBeGreaterThan(0);
    expect(await db.blockedNetwork.count({ where: { network: network.id } })).toBe(0);
  });

  test("is a range: everybody in it is refused, and nobody beside it", async () => {
    const [a, b, c] = newNetwork().id.split(".");
    const { network } = await block(`${a}.${b}.${c}.77/24`);
    expect(network).toBe(`${a}.${b}.${c}.0/24`);
    expect(await isRefused(client(`${a}.${b}.${c}.0`))).toBe(true);
    expect(await isRefused(client(`${a}.${b}.${c}.255`))).toBe(true);
    expect(await isRefused(client(`${a}.${b}.${(Number(c) + 1) % 256}.77`))).toBe(false);
  });

  test("of IPv6 is a /64, a /56 or a /48", async () => {
    const site = newSite();
    expect((await block(`${site}:12aa::5`)).network).toBe(`${site}:12aa::/64`);
    expect(await isRefused(client(`${site}:12aa::/64`))).toBe(true);
    expect(await isRefused(client(`${site}:12ab::/64`))).toBe(false);
    expect((await block(`${site}:12aa::/56`)).network).toBe(`${site}:1200::/56`);
    expect(await isRefused(client(`${site}:12ab::/64`))).toBe(true);
    expect(await isRefused(client(`${site}:1300::/64`))).toBe(false);
    expect((await block(`${site}::/48`)).network).toBe(`${site}::/48`);
    expect(await isRefused(client(`${site}:1300::/64`))).toBe(true);
  });

  test("stays refused when a narrower block within it ends", async () => {
    const [a, b, c, d] = newNetwork().id.split(".");
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    await block(`${a}.${b}.${c}.${d}`, 1);
    await block(`${a}.${b}.${c}.0/24`, null);
    expect(await isRefused(client(`${a}.${b}.${c}.${d}`))).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(await isRefused(client(`${a}.${b}.${c}.${d}`))).toBe(true);
  });

  test("may be blocked again, for another time", async () => {
    const network = newNetwork();
    await Promise.all([block(network.id, 60), block(network.id, 120), block(network.id, 180)]);
    await block(network.id, null, "again");
    expect(await db.blockedNetwork.findMany({ where: { network: network.id } })).toMatchObject([
      { until: null, reason: "again" },
    ]);
  });

  test("is in the audit trail, with who did it", async () => {
    const admin = await makeUser({ role: "admin" });
    const network = newNetwork();
    const acting = { actorId: admin.id, from: newNetwork() };
    await blockNetwork({ network: network.id, seconds: null, reason: "spam" }, acting);
    await unblockNetwork(network.id, acting);
    expect(await auditTrail({ subjectId: network.id }, 10)).toMatchObject([
      { action: "network.unblock", actor: admin.username, detail: {} },
      { action: "network.block", actor: admin.username, detail: { until: "ended", reason: "spam" } },
    ]);
  });
});

describe("what cannot be blocked", () => {
  const own = newNetwork();
  const [a, b, c] = own.id.split(".");
  test.each([
    ["on this network yourself", [own.id, `${a}.${b}.${c}.0/24`, `${a}.${b}.0.0/16`]],
    ["not on the internet", ["127.0.0.1", "10.0.0.0/16", "192.168.1.0/24", "172.20.0.0/16", "169.254.7.7"]],
    ["not on the internet", ["100.64.3.3", "::1", "::/32", "fc00:1:2::/48", "fe80::1", "::ffff:127.0.0.1"]],
    ["larger than a /16", ["81.0.0.0/8"]],
    ["larger than a /32", ["2001:db8::/31"]],
    ["a /64 or wider", ["2001:db8::/65"]],
    ["Enter an IPv4 address", ["0.0.0.0/0", "2001:db8::/129", "81.2.3.4/33", "81.2.3", "0x51.2.3.4"]],
    ["Enter an IPv4 address", ["unconfigured proxy 81.2.3.4", "", "81.2.3.4".repeat(1_000)]],
  ])("%s: %.80j", async (why, networks) => {
    for (const network of networks)
      await expect(
        blockNetwork({ network, seconds: 60, reason: "" }, { actorId: OPERATOR, from: own }),
      ).rejects.toMatchObject({ status: 400, field: "network", message: expect.stringContaining(why) });
  });

  test("the network of an admin behind a proxy that nobody configured", async () => {
    const from = networkBehind(own.id);
    const blocking = blockNetwork({ network: own.id, seconds: 60, reason: "" }, { actorId: OPERATOR, from });
    await expect(blocking).rejects.toMatchObject({ field: "network" });
  });

  test("for longer than ten years, or for a reason too long or on two lines", async () => {
    const { id } = newNetwork();
    for (const seconds of [0, -1, 3_651 * 86_400, Number.NaN])
      await expect(block(id, seconds)).rejects.toMatchObject({ status: 400, field: "seconds" });
    for (const reason of ["x".repeat(201), "two\nlines", "\0", "\ud800"])
      await expect(block(id, 60, reason)).rejects.toMatchObject({ status: 400, field: "reason" });
    await block(id, 3_650 * 86_400, "x".repeat(200));
  });
});

test("ten thousand blocks are all there can be", async () => {
  const rest = { reason: "one of many", since: new Date(), actorId: OPERATOR };
  const missing = MAX_BLOCKED - (await db.blockedNetwork.count());
  const data = Array.from({ length: missing }, (_, n) => ({ ...rest, network: `2a05:${n.toString(16)}:1::/48` }));
  await db.blockedNetwork.createMany({ data });
  await expect(block(newNetwork().id)).rejects.toMatchObject({ status: 403, code: "network_limit" });
  expect((await blockedNetworks(2_000)).length).toBeGreaterThanOrEqual(1_000);
  await db.blockedNetwork.deleteMany({ where: { reason: rest.reason } });
});
