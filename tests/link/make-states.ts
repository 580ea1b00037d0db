// Run in its own process: node --import { createInterface } from "node:readline";
import { createInterface } from "node:readline";
import { approveRequest, denyRequest } from "@/lib/link/approve";
import { storedCodeHash } from "@/lib/link/code";
import { secondsAfter } from "@/lib/link/states";
import { closeDatabase, db } from "@/lib/platform/db/client";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";

import { collect, newRequest } from "./flow";

const count = Number(process.argv[2]);
const network = newNetwork();
const [user, disabled] = [await makeUser(), await makeUser()];
const decider = { id: user.id, network };
const ago = (seconds: number) => secondsAfter(new Date(), -seconds);

async function made(
  time: Date,
  happens?: (asked: { code: string; id: string; network: ReturnType<typeof newNetwork> }) => Promise<unknown>,
): Promise<string> {
  const home = newNetwork();
  const { code, id } = await newRequest(home, time);
  await happens?.({ code, id, network: home });
  return code;
}

const kinds: Record<string, () => Promise<string>> = {
  pending: () => made(new Date()),
  denied: () => made(ago(30), ({ id }) => denyRequest(decider, id, { now: ago(20) })),
  expired: () => made(ago(700)),
  "approved, too late": () => made(ago(900), ({ id }) => approveRequest(decider, id, { now: ago(600) })),
  "approved, account disabled": () =>
    made(ago(30), ({ id }) => approveRequest({ id: disabled.id, network }, id, { now: ago(20) })),
  collected: () =>
    made(ago(200), async ({ code, id, network: home }) => {
      await approveRequest(decider, id, { now: ago(150) });
      await collect(code, home, ago(140));
    }),
};

const codes: Record<string, string[]> = {};
for (const [kind, make] of Object.entries(kinds)) {
  codes[kind] = [];
  for (let each = 0; each < count; each++) codes[kind].push(await make());
}
await db.user.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } });
process.stdout.write(`${JSON.stringify(codes)}\n`);

for await (const line of createInterface({ input: process.stdin }))
  for (const [index, code] of line.split(" ").entries()) {
    const link = await db.linkCode.findUnique({ where: { codeHash: await storedCodeHash(code) } });
    if (link) await (index % 2 ? approveRequest : denyRequest)(decider, link.id);
  }
await closeDatabase();
