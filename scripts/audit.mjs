// npm run audit: fails if a shipped package has a serious known vulnerability, or if the registry does not say. If the
// registry has no audits at all, it reports that and passes: that is not the build's fault.
import { spawnSync } from "node:child_process";

/** What a registry responds that does not know the request. */
const HAS_NO_AUDITS = [404, 405, 501];

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", timeout: 120_000 });
const report = parse(stdout);
if (report?.metadata?.vulnerabilities) {
  const { high, critical } = report.metadata.vulnerabilities;
  for (const { name, severity, range, fixAvailable } of Object.values(report.vulnerabilities))
    console.log(`${severity}: ${name} ${range}${fixAvailable ? ", a newer version fixes it" : ""}`);
  console.log(`${high + critical} packages with serious known vulnerabilities.`);
  if (high + critical > 0) process.exitCode = 1;
} else if (HAS_NO_AUDITS.includes(report?.statusCode)) {
  console.log(`Not audited: this registry has no audits (${report.statusCode}).`);
} else {
  console.error(`Not audited: the registry does not respond as it should (${reason(report)}). Try again later.`);
  process.exitCode = 1;
}

/** A status, or npm's words without the address, which may hold a password. */
function reason(report) {
  if (report === undefined) return "no response within two minutes";
  const words = String(report.message ?? report.error?.summary);
  return report.statusCode ?? /reason: (.+)/.exec(words)?.[1] ?? words.replace(/\S+:\/\/\S+/g, "…");
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
