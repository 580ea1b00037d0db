// npm run audit: fails if a shipped package has a serious known vulnerability. If the registry does not support audits,
// it says so and passes: that is not the build's fault.
import { spawnSync } from "node:child_process";

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", timeout: 120_000 });
const report = parse(stdout);
if (!report?.metadata?.vulnerabilities) {
  console.log("Not audited: the registry does not respond.");
} else {
  const { high, critical } = report.metadata.vulnerabilities;
  for (const { name, severity, range, fixAvailable } of Object.values(report.vulnerabilities))
    console.log(`${severity}: ${name} ${range}${fixAvailable ? ", a newer version fixes it" : ""}`);
  console.log(`${high + critical} packages with serious known vulnerabilities.`);
  if (high + critical > 0) process.exitCode = 1;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
