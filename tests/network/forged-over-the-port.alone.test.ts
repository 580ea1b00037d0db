import { beforeAll, expect, test, vi } from "vitest";

vi.hoisted(() => {
  process.env.FAILED_TOKENS_PER_MINUTE = "5";
});

import { log } from "@/lib/log";
import { declareServer } from "@/lib/network";
import { get, listen } from "@/tests/server/service";
import { newNetwork } from "@/tests/support/network";

const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
beforeAll(declareServer);

/** The statuses of so many questions with a token that is none, each with this header naming another network. */
async function failTokens(port: number, count: number, name?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let asked = 0; asked < count; asked++) {
    const lines = name === undefined ? [] : [`${name}: ${newNetwork().id}`];
    statuses.push((await get(port, "/me?auth=lk_none", [`Host: keys.localhost:${port}`, ...lines])).status);
  }
  return statuses;
}

test(
  "whoever reaches the port past the trusted proxy chooses no address, and spends nothing of who asks " + "directly",
  async () => {
    await using service = await listen({ proxies: "192.0.2.1, linklocal" });
    expect(await failTokens(service.port, 7, "X-Forwarded-For")).toEqual([401, 401, 401, 401, 401, 429, 429]);
    for (const name of ["X-Real-IP", "Forwarded", "CF-Connecting-IP", "Via"])
      expect(await failTokens(service.port, 1, name)).toEqual([429]);
    expect(await failTokens(service.port, 7)).toEqual(Array(7).fill(401));
    expect(warn.mock.calls.map(([sentence]) => sentence)).toEqual([
      expect.stringContaining("set TRUSTED_PROXIES=192.0.2.1,linklocal,loopback."),
    ]);
  },
);

test("behind the trusted proxy each client has its own limit, whatever headers it sends", async () => {
  await using service = await listen({ proxies: "loopback" });
  const client = newNetwork().id;
  const from = async (forwardedFor: string) =>
    (await get(service.port, "/me?auth=lk_none", ["Host: keys.localhost", `X-Forwarded-For: ${forwardedFor}`])).status;
  for (let asked = 0; asked < 5; asked++)
    expect(await from(asked % 2 ? client : `${newNetwork().id}, ${client}`)).toBe(401);
  for (const claim of [`127.0.0.1, ${client}`, `unknown,${client}`, client]) expect(await from(claim)).toBe(429);
  expect(await from(newNetwork().id)).toBe(401);
});
