// npm run soak -- [--minutes <n>] [--database sqlite|postgresql]
// Mixed load over HTTP against the built service, every answer held to the contract. Exit status 1 where one is not allowed,
// or where memory does not stay flat.
import { parseArgs } from "node:util";
import build from "@/tests/support/build.global";
import { printReport } from "./print";
import { soak } from "./run";

function complain(sentence: string): never {
  console.error(`${sentence}\nUsage: npm run soak -- [--minutes <n>] [--database sqlite|postgresql]`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({ options: { minutes: { type: "string", default: "30" }, database: { type: "string", default: "sqlite" } } }).values;
  } catch (error) {
    return complain((error as Error).message);
  }
}

const { minutes: written, database } = readArguments();
const minutes = Number(written);
if (!(minutes > 0)) complain("--minutes must be a number above 0.");
if (database !== "sqlite" && database !== "postgresql") complain("--database must be sqlite or postgresql.");

await build();
const report = await soak({ minutes, database }, console.log);
printReport(report);
process.exitCode = report.record.faultCount > 0 || report.memory.isFlat === false ? 1 : 0;
