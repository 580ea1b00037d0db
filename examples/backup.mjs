// Keeps a copy of everything that a user has stored. Downloads only if it has changed.
// Usage: TOKEN=lk_… node examples/backup.mjs http://localhost:3000 files.json
import { createWriteStream, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const [base = "http://localhost:3000", file = "files.json"] = process.argv.slice(2);

try {
  if (!process.env.TOKEN) throw new Error("Set the variable TOKEN to the user's token.");
  const headers = { Authorization: `Bearer ${process.env.TOKEN}` };
  if (existsSync(file) && existsSync(`${file}.etag`)) headers["If-None-Match"] = readFileSync(`${file}.etag`, "utf8");
  const response = await fetch(`${base}/read-files`, { headers });
  if (response.status === 304) console.log("Nothing has changed.");
  else if (response.status === 404) console.log("Nothing is stored yet.");
  else if (!response.ok) throw new Error((await response.json()).error);
  else {
    // It may be gigabytes, so it is never in memory. A response that ends cleanly is complete.
    await pipeline(Readable.fromWeb(response.body), createWriteStream(`${file}.part`));
    // Renaming replaces the old copy in one step.
    renameSync(`${file}.part`, file);
    writeFileSync(`${file}.etag`, response.headers.get("ETag"));
    console.log(`Saved ${statSync(file).size} bytes.`);
  }
} catch (error) {
  console.error(`${error.message} (${base}) The old copy is unchanged.`);
  process.exitCode = 1;
}
