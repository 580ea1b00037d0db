// Run as a process of its own: node --import tsx tests/support/print-document.ts <username> <many|few> <bytes>
// Prints a document, so that the memory that making it takes is not counted where it is stored.

import { pipeline } from "node:stream/promises";
import { largeDocument } from "./documents";

const [username = "", shape, bytes] = process.argv.slice(2);
await pipeline(largeDocument(username, shape === "many" ? "many" : "few", Number(bytes)), process.stdout);
