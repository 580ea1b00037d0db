// Run in its own process: create <username> <data> prints the id of a new key; read <username> <id> prints its data. So
// a test stores and reads with the database and the secret of another machine.

import { closeDatabase, db } from "@/lib/db/client";
import { createKey } from "@/lib/keys/create";
import { revealData } from "@/lib/keys/reveal";

const [what = "", username = "", sent = ""] = process.argv.slice(2);
const { id } = await db.user.findUniqueOrThrow({ where: { usernameKey: username }, select: { id: true } });
const caller = { id, username, role: "user" } as const;
console.log(
  what === "create" ? (await createKey(caller, { data: sent, price: "1" })).id : await revealData(caller, sent),
);
await closeDatabase();
