import { expect, it } from "vitest";
import { WAITING_OF_NETWORK } from "@/lib/link/waiters";
import type { Network } from "@/lib/network";
import { newNetwork } from "@/tests/support/network";
import { awaitStatus, newCode, untilWaiting, wish } from "./waiting";

const ALL = 64 * WAITING_OF_NETWORK;

/** Waits once from each of these networks, does `meanwhile`, and disconnects all. */
async function waitingFrom(
  networks: Network[],
  { code, secret }: { code: string; secret: string },
  meanwhile: () => Promise<void>,
) {
  const waits = networks.map(() => wish());
  const answers = networks.map((network, index) =>
    awaitStatus(code, { network, wait: waits[index] as (typeof waits)[0], secret }),
  );
  await untilWaiting(networks.length);
  await meanwhile();
  for (const { disconnect } of waits) disconnect();
  await Promise.all(answers);
  await untilWaiting(0);
}

it("a /48 has 16 times the places of a /64", async () => {
  const code = await newCode();
  const subnet = (number: number): Network => ({ id: `2001:db8:77:${number.toString(16)}::/64`, kind: "remote" });
  const networks = Array.from({ length: 16 * WAITING_OF_NETWORK }, (_, index) => subnet((index % 16) * 256));
  await waitingFrom(networks, code, async () => {
    const [refused, elsewhere] = [wish(), wish(1)];
    await awaitStatus(code.code, { ...code, network: subnet(0xff00), wait: refused });
    await awaitStatus(code.code, { ...code, network: newNetwork(), wait: elsewhere });
    expect([refused.isHonoured, elsewhere.isHonoured]).toEqual([false, true]);
  });
});

it(`a process has ${ALL} places`, async () => {
  const code = await newCode();
  await waitingFrom(Array.from({ length: ALL }, newNetwork), code, async () => {
    const refused = wish();
    expect(await awaitStatus(code.code, { ...code, network: newNetwork(), wait: refused })).toBe("pending");
    expect(refused.isHonoured).toBe(false);
  });
});
