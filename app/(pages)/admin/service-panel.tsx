import { Fact, Facts } from "@/components/content/facts";
import { RelativeTime } from "@/components/content/time";
import { readableBytes } from "@/components/content/words";
import { Panel } from "@/components/frame/panel";
import type { ServiceFacts } from "@/lib/operator/overview";
import manifest from "@/package.json";

/** The service and its database, as they are now. */
export function ServicePanel({ facts: { uptime, processes, database, lastBackup } }: { facts: ServiceFacts }) {
  const { applied, pending } = database.migrations;
  return (
    <Panel title="Service">
      <Facts even>
        <Fact name="Version">{manifest.version}</Fact>
        <Fact name="Running for">{readableTime(uptime)}</Fact>
        <Fact name="Processes">{processes}</Fact>
        <Fact name="Database">{`${database.kind} ${database.version}`}</Fact>
        <Fact name="Size">{readableBytes(database.bytes)}</Fact>
        <Fact name="Responds in">{inMs(database.latencyMs)}</Fact>
        <Fact name="Migrations">
          {pending.length === 0 ? `All ${applied} applied` : `${pending.length} not applied: restart the service`}
        </Fact>
        <Fact name="Last backup">{lastBackup ? <RelativeTime at={lastBackup} precise /> : "None recorded"}</Fact>
      </Facts>
    </Panel>
  );
}

/** The two largest units, such as "3 days 4 hours". */
function readableTime(seconds: number): string {
  const units = { day: 86_400, hour: 3_600, minute: 60, second: 1 };
  const parts: string[] = [];
  let rest = Math.floor(seconds);
  for (const [unit, length] of Object.entries(units)) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
  }
  return parts.slice(0, 2).join(" ") || "less than a second";
}

const inMs = (ms: number) => `${ms.toLocaleString("en", { maximumSignificantDigits: 2 })} ms`;
