import type { Metadata } from "next";
import { Fact, Facts } from "@/components/content";
import { Panel } from "@/components/page";
import { RelativeTime } from "@/components/time";
import { readableBytes } from "@/components/words";
import { currentUser } from "@/lib/accounts/session/current-user";
import { hasAdministrator } from "@/lib/operator/access";
import { lastExamination } from "@/lib/operator/doctor/examination";
import { type ServiceFacts, serviceFacts } from "@/lib/operator/overview";
import { statisticsFor } from "@/lib/operator/statistics";
import manifest from "@/package.json";
import type { SearchParams } from "../next-path";
import { consolePage, consoleTitle, FirstAdmin, SameCommand } from "./console-page";
import { Doctor } from "./doctor";
import { Live } from "./live";
import { StatisticsPanel } from "./statistics";

export async function generateMetadata(): Promise<Metadata> {
  return (await firstAdmin()) ? { title: "No administrator yet" } : consoleTitle("Overview");
}

/** The overview, or how to make the first administrator. */
export default async function OverviewPage(props: { searchParams: SearchParams }) {
  const first = await firstAdmin();
  return first ? <FirstAdmin {...first} /> : overview(props);
}

const overview = consolePage("Overview", async (query) => {
  const range = query.range === "month" ? "month" : "day";
  const [facts, statistics, examination] = await Promise.all([serviceFacts(), statisticsFor(range), lastExamination()]);
  return (
    <>
      <Live />
      <StatisticsPanel range={range} statistics={statistics} />
      <ServicePanel facts={facts} />
      <Doctor last={examination} />
      <SameCommand commands={["stats --days 30", "backup latchkey.backup", "doctor"]} />
    </>
  );
});

/** The signed-in user of a service that has no administrator, who may be its operator. */
async function firstAdmin(): Promise<{ username: string } | null> {
  const user = await currentUser();
  return user && !(await hasAdministrator()) ? { username: user.username } : null;
}

/** The service and its database, as they are now. */
function ServicePanel({ facts: { uptime, processes, database, lastBackup } }: { facts: ServiceFacts }) {
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
