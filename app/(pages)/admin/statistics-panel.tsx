import { Panel } from "@/components/page";
import { WhenInUtc } from "@/components/time";
import { RANGES, type Statistics, type StatisticsRange } from "@/lib/operator/statistics/view";
import { Chart, type ChartProps } from "./chart";
import { chartsOf, periodName, readableValue } from "./charts";
import consoleStyles from "./console.module.css";
import styles from "./overview.module.css";

/** The numbers of a chart, newest first. */
function ChartTable({ chart: { title, lines, unit }, periods, step }: ChartProps) {
  return (
    <details className={styles.asTable}>
      <summary>
        As a table<span className={styles.unseen}>{`: ${title}`}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className={styles.scrolling} tabIndex={0} aria-label={`${title} as a table`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{`${step === "hour" ? "Hour" : "Day"} (UTC)`}</th>
              {lines.map(({ name }) => (
                <th key={name} scope="col" className={styles.number}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {periods
              .map(({ at }, index) => (
                <tr key={at.getTime()}>
                  <th scope="row">{periodName(at, step)}</th>
                  {lines.map(({ name, values }) => (
                    <td key={name} className={styles.number}>
                      {readableValue(values[index] ?? null, unit)}
                    </td>
                  ))}
                </tr>
              ))
              .reverse()}
          </tbody>
        </table>
      </section>
    </details>
  );
}

interface View {
  href: string;
  words: string;
  /** How much it has. */
  count?: number;
  isShown: boolean;
}

/** Links to the views of the same thing, one of which is shown. */
export function Views({ label, views }: { label: string; views: View[] }) {
  return (
    <nav className={consoleStyles.views} aria-label={label}>
      {views.map(({ href, words, count, isShown }) => (
        <a key={href} href={href} aria-current={isShown ? "page" : undefined}>
          <span>{words}</span>
          {count !== undefined && <span>{` ${count.toLocaleString("en")}`}</span>}
        </a>
      ))}
    </nav>
  );
}

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
        <p>The first numbers are being counted. Reload this page to see them.</p>
      ) : (
        <>
          <div className={styles.charts}>
            {chartsOf(periods).map((chart) => (
              <section key={chart.title} className={styles.chart} aria-label={chart.title}>
                <Chart chart={chart} periods={periods} step={step} />
                <ChartTable chart={chart} periods={periods} step={step} />
              </section>
            ))}
          </div>
          <p className={styles.soft}>
            By <span>{step}</span>, in UTC. Updated <WhenInUtc at={countedAt} />.
          </p>
        </>
      )}
    </Panel>
  );
}
