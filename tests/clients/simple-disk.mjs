// Loaded before a program (NODE_OPTIONS): the disk has no hard links, as exFAT and FAT, and no times to set.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

async function refuse() {
  throw Object.assign(new Error("EPERM: operation not permitted"), { code: "EPERM" });
}
fs.promises.link = refuse;
fs.promises.utimes = refuse;
syncBuiltinESMExports();
