import type { Metadata } from "next";
import { currentUser } from "@/lib/accounts/current-user";
import { hasAdministrator } from "@/lib/operator/access";
import { lastExamination } from "@/lib/operator/doctor/examination";
import { serviceFacts } from "@/lib/operator/overview";
import { RANGES, type StatisticsRange, statisticsFor } from "@/lib/operator/statistics/view";
import { consolePage, consoleTitle, FirstAdmin } from "./console-page";
import { Doctor } from "./doctor";
import { Live } from "./live";
import { SameCommand } from "./same-command";
import { ServicePanel } from "./service-panel";
import { StatisticsPanel } from "./statistics-panel";

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata(): Promise<Metadata> {
  return (await firstAdmin()) ? { title: "No administrator yet" } : consoleTitle("Overview");
}

export default async function OverviewPage({ searchParams }: Props) {
  const { range } = await searchParams;
  const first = await firstAdmin();
  if (first) return <FirstAdmin {...first} />;
  return consolePage({
    section: "Overview",
    title: "Overview",
    show: async () => {
      const shown = isRange(range) ? range : "day";
      const [facts, statistics, examination] = await Promise.all([
        serviceFacts(),
        statisticsFor(shown),
        lastExamination(),
      ]);
      return (
        <>
          <Live />
          <StatisticsPanel range={shown} statistics={statistics} />
          <ServicePanel facts={facts} />
          <Doctor last={examination} />
          <SameCommand commands={["stats --days 30", "backup latchkey.backup", "doctor"]} />
        </>
      );
    },
  });
}

/** The signed-in user of a service that has no administrator, who may be its operator. */
async function firstAdmin(): Promise<{ username: string } | null> {
  const user = await currentUser();
  return user && !(await hasAdministrator()) ? { username: user.username } : null;
}

const isRange = (range: unknown): range is StatisticsRange => typeof range === "string" && Object.hasOwn(RANGES, range);
