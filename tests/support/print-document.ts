// Run as a process of its own: node --import tsx tests/support/print-document.ts <username> <many|few|late> <bytes>
// Prints a document, so that the memory that making it takes is not counted where it is stored.

import { pipeline } from "node:stream/promises";
import { largeDocument, type Shape } from "./documents";

const [username = "", shape = "", bytes] = process.argv.slice(2);
const isShape = (text: string): text is Shape => ["many", "few", "late"].includes(text);
if (isShape(shape)) await pipeline(largeDocument(username, shape, Number(bytes)), process.stdout);
