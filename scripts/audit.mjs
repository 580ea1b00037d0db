// npm run audit: fails when a package that is shipped has a known hole of weight. Where the registry does not answer such questions, it
// says so and passes: that is no fault of what is being built.
import { spawnSync } from "node:child_process";

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", timeout: 120_000 });
const report = parse(stdout);
if (!report?.metadata?.vulnerabilities) {
  console.log("Not audited: the registry does not answer.");
} else {
  const { high, critical } = report.metadata.vulnerabilities;
  for (const { name, severity, range, fixAvailable } of Object.values(report.vulnerabilities))
    console.log(`${severity}: ${name} ${range}${fixAvailable ? ", a newer version mends it" : ""}`);
  console.log(`${high + critical} packages with known holes of weight.`);
  if (high + critical > 0) process.exitCode = 1;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
