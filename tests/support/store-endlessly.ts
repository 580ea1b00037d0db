// Run as a process of its own: node --import tsx tests/support/store-endlessly.ts <user id> <username> <bytes>
// Says that it begins, then stores one document after another until it is killed.

import { importDocument } from "@/lib/files/import";
import { largeDocument } from "./documents";

const [id = "", username = "", bytes] = process.argv.slice(2);
process.stdout.write("storing\n");
for (;;) await importDocument({ id, username }, largeDocument(username, "few", Number(bytes)));
