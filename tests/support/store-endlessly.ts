// Run in its own process: node --import tsx tests/support/store-endlessly.ts <user id> <username> <bytes>
// Prints a line when it begins, and one for each document that it stores, one after another until it is killed.

import { importDocument } from "@/lib/files/import";
import { largeDocument } from "./documents";

const [id = "", username = "", bytes] = process.argv.slice(2);
process.stdout.write("storing\n");
for (;;) {
  await importDocument({ id, username }, largeDocument(username, "few", Number(bytes)));
  process.stdout.write("stored\n");
}
