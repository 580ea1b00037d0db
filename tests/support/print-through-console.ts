// Run by a test: prints as Next and packages do, once the console belongs to the log.
import { consoleToLog } from "@/server/console";

consoleToLog();
console.log(" \u001b[32m✓\u001b[39m Running next.config.mjs took %dms", 65);
console.warn("two\nlines");
console.error(new Error("a fault"));
