// In a process of its own, beside a service whose rows it shares. Does what the link page does when its person presses:
// for each line of its input, "approve CODE" or "allow CODE". Says the token of its user first, then "done" for each.
import { createInterface } from "node:readline";
import { approveRequest, decideProgram } from "@/lib/link/approve";
import { storedCodeHash } from "@/lib/link/code";
import { closeDatabase, db } from "@/lib/platform/db/client";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";

const user = await makeUser();
process.stdout.write(`${user.token}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const [what, code = ""] = line.split(" ");
  const codeHash = await storedCodeHash(code);
  const link = await db.linkCode.findUniqueOrThrow({ where: { codeHash } });
  if (what === "approve") await approveRequest({ id: user.id, network: newNetwork() }, link.id, {});
  else {
    const first = await db.linkQuestion.findFirstOrThrow({ where: { codeHash }, orderBy: { at: "asc" } });
    await decideProgram(user.id, link.id, { decision: "allow", ...first });
  }
  process.stdout.write("done\n");
}
await closeDatabase();
