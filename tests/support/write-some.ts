// Run in its own process: write-some <user id> <username> <prefix> <count>
// Writes files into the root folder, several at a time, and ends.

import { putFile } from "@/lib/files/create";
import { closeDatabase } from "@/lib/platform/db/client";

const [id = "", username = "", prefix = "", count] = process.argv.slice(2);
const names = Array.from({ length: Number(count) }, (_, n) => `${prefix}${n}.txt`);
await Promise.all(
  names.map((name) => putFile({ id, username }, undefined, { name, bytes: Buffer.from(name), onExisting: "refuse" })),
);
await closeDatabase();
