// Run in its own process: node --import tsx tests/support/print-document.ts <username> <many|few|late> <bytes> Prints a
// document, so that the memory for creating it is not counted in the process that stores it.

import { pipeline } from "node:stream/promises";
import { largeDocument, type Shape } from "./documents";

const [username = "", shape = "", bytes] = process.argv.slice(2);
const isShape = (text: string): text is Shape => ["many", "few", "late"].includes(text);
if (isShape(shape)) await pipeline(largeDocument(username, shape, Number(bytes)), process.stdout);
