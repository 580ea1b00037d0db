// npm run soak -- [--hostile] [--minutes <n>] [--database sqlite|postgresql]
// Mixed load over HTTP against the built service, every answer held to the contract. Exit status 1 where one is not
// allowed, or where memory does not stay flat. With --hostile: attackers at work, and honest people beside them; then
// also where /health is slow.
import { parseArgs } from "node:util";
import build from "@/tests/support/build.global";
import { hostileSoak } from "./hostile";
import { isGood, printHostileReport } from "./hostile-print";
import { printReport } from "./print";
import { soak } from "./run";

function complain(sentence: string): never {
  console.error(`${sentence}\nUsage: npm run soak -- [--hostile] [--minutes <n>] [--database sqlite|postgresql]`);
  process.exit(2);
}

function readArguments() {
  try {
    const options = {
      minutes: { type: "string" },
      database: { type: "string", default: "sqlite" },
      hostile: { type: "boolean", default: false },
    } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    return complain((error as Error).message);
  }
}

const { hostile, database, minutes: written = hostile ? "10" : "30" } = readArguments();
const minutes = Number(written);
if (!(minutes > 0)) complain("--minutes must be a number above 0.");
if (database !== "sqlite" && database !== "postgresql") complain("--database must be sqlite or postgresql.");

await build();
if (hostile) {
  const report = await hostileSoak({ minutes, database }, console.log);
  printHostileReport(report);
  process.exitCode = isGood(report) ? 0 : 1;
} else {
  const report = await soak({ minutes, database }, console.log);
  printReport(report);
  process.exitCode = report.record.faultCount > 0 || report.memory.isFlat === false ? 1 : 0;
}
