// npm run link:odds   how often a token is stolen: on paper, by simulation on a scratch database, and as a picture in
// docs/

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Set the environment before importing anything from lib/.
const folder = mkdtempSync(join(tmpdir(), "latchkey-odds-"));
delete process.env.DATABASE_URL;
delete process.env.REDIS_URL;
Object.assign(process.env, { DATA_DIR: folder, AUTH_SECRET: randomBytes(32).toString("base64"), LOG_LEVEL: "silent" });

const { onPaper } = await import("./link-odds/paper");
const { picture } = await import("./link-odds/picture");
const { closeScratch, simulations } = await import("./link-odds/simulate");

try {
  const odds = onPaper();
  console.log("Stolen tokens a day, at 1,000 links a day\n");
  for (const { attack, before, now, remark } of odds)
    console.log(`${attack}: ${said(now)} (before: ${said(before)}). ${remark}`);
  console.log(
    "\nSimulated with the service's own functions, guesses drawn from few letters so that hits can be counted\n",
  );
  for await (const { attack, rounds, hits, expected } of simulations()) {
    const margin = 1.96 * Math.sqrt((hits * (rounds - hits)) / rounds);
    const ratio = expected === 0 ? "" : `, ratio ${(hits / expected).toFixed(2)} ± ${(margin / expected).toFixed(2)}`;
    console.log(`${attack}: ${hits} tokens in ${rounds} rounds; on paper ${expected.toFixed(1)}${ratio}`);
  }
  writeFileSync("docs/link-odds.svg", picture(odds));
  console.log("\nWrote docs/link-odds.svg");
} finally {
  await closeScratch();
  rmSync(folder, { recursive: true, force: true });
}

function said(odds: number): string {
  return odds === 0 ? "0" : odds.toPrecision(2);
}
