// Run in its own process: node --import tsx tests/support/link-states.ts <count>
// Makes so many codes of every kind that no token is given for, and prints them as JSON: { kind: codes }.

import { closeDatabase, db } from "@/lib/db/client";
import { askForCode } from "@/lib/link/ask";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { secondsAfter } from "@/lib/link/lifetimes";
import { collect, PROGRAM } from "../link/flow";
import { newNetwork } from "./network";
import { makeUser } from "./user";

const count = Number(process.argv[2]);
const [user, disabled] = [await makeUser(), await makeUser()];
const ago = (seconds: number) => secondsAfter(new Date(), -seconds);

/** A code requested at `time`, and what happened to it then. */
async function made(
  time: Date,
  happens?: (asked: { code: string; id: string; network: ReturnType<typeof newNetwork> }) => Promise<unknown>,
): Promise<string> {
  const network = newNetwork();
  const { code, id } = await askForCode({ network, program: PROGRAM, webPage: null }, time);
  await happens?.({ code, id, network });
  return code;
}

const kinds: Record<string, () => Promise<string>> = {
  pending: () => made(new Date()),
  denied: () => made(ago(30), ({ id, network }) => denyRequest({ id: user.id, network }, id, ago(20))),
  expired: () => made(ago(700)),
  "approved, too late": () =>
    made(ago(900), ({ id, network }) => approveRequest({ id: user.id, network }, id, ago(600))),
  "approved, account disabled": () =>
    made(ago(30), ({ id, network }) => approveRequest({ id: disabled.id, network }, id, ago(20))),
  collected: () =>
    made(ago(200), async ({ code, id, network }) => {
      await approveRequest({ id: user.id, network }, id, ago(150));
      await collect(code, network, ago(140));
    }),
};

const codes: Record<string, string[]> = {};
for (const [kind, make] of Object.entries(kinds)) {
  codes[kind] = [];
  for (let each = 0; each < count; each++) codes[kind].push(await make());
}
await db.user.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } });
process.stdout.write(JSON.stringify(codes));
await closeDatabase();
