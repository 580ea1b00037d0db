// Run in its own process: node --import tsx tests/link/wait-states.ts [count]
// With a count, makes so many codes and prints them as JSON. Without one, approves or denies those of the codes that it
// reads, a line at a time.

import { createInterface } from "node:readline";
import { closeDatabase, db } from "@/lib/db/client";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { storedCodeHash } from "@/lib/link/hashes";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";
import { ask } from "./flow";

const count = Number(process.argv[2] ?? 0);
const codes: string[] = [];
while (codes.length < count) codes.push((await ask(newNetwork(), new Date())).code);

if (count > 0) process.stdout.write(JSON.stringify(codes));
else {
  const decider = { id: (await makeUser()).id, network: newNetwork() };
  for await (const line of createInterface({ input: process.stdin }))
    for (const [index, code] of line.split(" ").entries()) {
      const link = await db.linkCode.findUnique({ where: { codeHash: await storedCodeHash(code) } });
      if (link) await (index % 2 ? approveRequest : denyRequest)(decider, link.id);
    }
}
await closeDatabase();
