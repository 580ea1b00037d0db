import { Panel } from "@/components/panel";
import { When } from "@/components/when";
import { RANGES, type Statistics, type StatisticsRange } from "@/lib/operator/statistics/view";
import { durationInWords, SWEEP_EVERY_MS } from "@/lib/platform/bounds";
import { Chart } from "./chart";
import { ChartTable } from "./chart-table";
import { chartsOf } from "./charts";
import styles from "./overview.module.css";
import { SameCommand } from "./same-command";
import { Views } from "./views";

const swept = durationInWords(SWEEP_EVERY_MS / 1_000);

/** What happened, as charts and as tables. */
export function StatisticsPanel({ range, statistics }: { range: StatisticsRange; statistics: Statistics }) {
  const { periods, countedAt } = statistics;
  const { step } = RANGES[range];
  return (
    <Panel title="Statistics">
      <div id="statistics">
        <Views
          label="Time"
          views={Object.entries(RANGES).map(([name, { name: words }]) => ({
            href: `/admin?range=${name}#statistics`,
            words,
            isShown: name === range,
          }))}
        />
      </div>
      {countedAt === null ? (
        <p>{`Nothing has been counted yet. The first numbers come within ${swept}: reload this page then.`}</p>
      ) : (
        <>
          <div className={styles.charts}>
            {chartsOf(periods).map((chart) => (
              <section key={chart.title} className={styles.chart} aria-label={chart.title}>
                <Chart {...chart} times={periods.map(({ at }) => at.getTime() / 1000)} step={step} />
                <ChartTable chart={chart} periods={periods} step={step} />
              </section>
            ))}
          </div>
          <p className={styles.soft}>
            By <span>{step}</span>, in UTC. Counted until <When at={countedAt} precise />; the sweep goes on every{" "}
            <span>{swept}</span>.
          </p>
        </>
      )}
      <SameCommand command="stats --days 30" />
    </Panel>
  );
}
