import { Panel } from "@/components/page";
import { Views } from "@/components/table";
import { WhenInUtc } from "@/components/time";
import { readableBytes } from "@/components/words";
import { type Period, RANGES, type Statistics, type StatisticsRange } from "@/lib/operator/statistics";
import styles from "./overview.module.css";

/** A line of a chart. */
interface Line {
  name: string;
  values: (number | null)[];
}

interface Chart {
  title: string;
  unit: "count" | "bytes";
  /** What happened in each period, to be added up, or what there was at its end. */
  kind: "flow" | "level";
  lines: Line[];
}

type Figure = Exclude<keyof Period, "at" | "refusals">;

const CHARTS: (Omit<Chart, "lines"> & { lines: Record<string, Figure> })[] = [
  { title: "Users", unit: "count", kind: "level", lines: { Users: "users" } },
  { title: "Keys", unit: "count", kind: "level", lines: { Keys: "keys" } },
  { title: "Stored", unit: "bytes", kind: "level", lines: { Files: "fileBytes", "Keys' data": "keyBytes" } },
  {
    title: "Links",
    unit: "count",
    kind: "flow",
    lines: { Requested: "asked", Linked: "linked", Denied: "denied", Expired: "expired" },
  },
  { title: "Sign-ins", unit: "count", kind: "flow", lines: { "Sign-ins": "signIns", "Sign-ups": "signUps" } },
];

/** The charts of the overview. */
function chartsOf(periods: Period[]): Chart[] {
  const line = (name: string, figure: Figure): Line => ({ name, values: periods.map((period) => period[figure]) });
  const charts = CHARTS.map(({ lines, ...chart }) => ({
    ...chart,
    lines: Object.entries(lines).map(([name, figure]) => line(name, figure)),
  }));
  return [...charts, { title: "Refused by a limit", unit: "count", kind: "flow", lines: refusals(periods) }];
}

/** Limits that are shown one by one: a chart has four lines that can be told apart. */
const MAX_LIMITS = 3;

/** The limits that were reached most often, and all others together. */
function refusals(periods: Period[]): Line[] {
  const totals = new Map<string, number>();
  for (const period of periods)
    for (const [limit, count] of Object.entries(period.refusals)) totals.set(limit, (totals.get(limit) ?? 0) + count);
  const limits = [...totals].sort(([, one], [, other]) => other - one).map(([limit]) => limit);
  const shown = limits.slice(0, limits.length > MAX_LIMITS + 1 ? MAX_LIMITS : MAX_LIMITS + 1);
  const rest = limits.slice(shown.length);
  const sumOf = (names: string[], { refusals: of }: Period) => names.reduce((sum, name) => sum + (of[name] ?? 0), 0);
  const lines = shown.map((name) => ({ name: inTitle(name), values: periods.map((period) => sumOf([name], period)) }));
  if (rest.length > 0) lines.push({ name: "Others", values: periods.map((period) => sumOf(rest, period)) });
  return lines.length > 0 ? lines : [{ name: "Refusals", values: periods.map(() => 0) }];
}

const inTitle = (limit: string) => limit.charAt(0).toUpperCase() + limit.slice(1);

const readableValue = (value: number | null, unit: Chart["unit"]) =>
  value === null ? "–" : unit === "bytes" ? readableBytes(value) : value.toLocaleString("en");

/** The sum of what happened, or what there was last. */
function totalOf({ values }: Line, kind: Chart["kind"]): number | null {
  if (kind === "level") return values.findLast((value) => value !== null) ?? null;
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

const FORMATS = {
  hour: new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: "UTC",
  }),
  day: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
};

/** A period in UTC, such as "24 Nov, 14:00" or "24 Nov". */
const periodName = (at: Date, step: "hour" | "day"): string => FORMATS[step].format(at);

interface ChartProps {
  chart: Chart;
  periods: Period[];
  step: "hour" | "day";
}

/** Lines over time, with what they come to. Under the pointer, a tip has the numbers of one period. */
function Lines({ chart, periods, step }: ChartProps) {
  const { title, unit, kind, lines } = chart;
  // A line has two points: a dot alone says no more than its number above.
  const isDrawn = lines.some(({ values }) => values.filter((value) => value !== null).length > 1);
  return (
    <>
      <div className={styles.chartHead}>
        <h3>{title}</h3>
        <span className="small">{kind === "flow" ? "Total" : "Now"}</span>
      </div>
      <ul className={styles.legend}>
        {lines.map((line, index) => (
          <li key={line.name}>
            <svg viewBox="0 0 24 4" aria-hidden="true" className={styles[`line${index}`]}>
              <path d="M0 2h24" />
            </svg>
            <span>{line.name}</span> <strong>{readableValue(totalOf(line, kind), unit)}</strong>
          </li>
        ))}
      </ul>
      {isDrawn ? (
        <Plot chart={chart} periods={periods} step={step} />
      ) : (
        <p className="small">Not enough data for a line yet.</p>
      )}
    </>
  );
}

/** As high as the largest value. Numbers and days stand beside it, where nothing stretches them. */
function Plot({ chart: { title, unit, lines }, periods, step }: ChartProps) {
  const top = Math.max(1, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const [first, last] = [periods[0], periods.at(-1)].map((period) => (period ? periodName(period.at, step) : ""));
  const drawn = lines.map(({ name, values }) => ({ name, stretches: stretchesOf(values, top) }));
  return (
    <div className={styles.plot}>
      <div className={styles.values} aria-hidden="true">
        <span>{readableValue(top, unit)}</span>
        <span>{readableValue(0, unit)}</span>
      </div>
      <svg
        viewBox={`0 0 ${periods.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title} by ${step}, from ${first} to ${last}`}
      >
        {drawn.length === 1 && (
          <path className={styles.area} d={drawn[0]?.stretches.map(({ from, d }) => `${d}V100H${from}Z`).join("")} />
        )}
        {periods.map(({ at }, index) => (
          <rect key={at.getTime()} x={index} width="1" height="100">
            <title>
              {[
                periodName(at, step),
                ...lines.map(({ name, values }) => `${name}: ${readableValue(values[index] ?? null, unit)}`),
              ].join("\n")}
            </title>
          </rect>
        ))}
        {drawn.map(({ name, stretches }, index) => (
          <path key={name} className={styles[`line${index}`]} d={stretches.map(({ d }) => d).join("")} />
        ))}
      </svg>
      <div className={styles.days} aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </div>
    </div>
  );
}

/** The parts of a line between periods without a value: where each begins, and its path. A value alone is a dash. */
function stretchesOf(values: (number | null)[], top: number): { from: number; d: string }[] {
  const stretches: { from: number; d: string }[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const y = (100 * (1 - value / top)).toFixed(2);
    const before = (values[index - 1] ?? null) !== null && stretches.at(-1);
    const isAlone = !before && (values[index + 1] ?? null) === null;
    if (before) before.d += `L${index + 0.5} ${y}`;
    else if (isAlone) stretches.push({ from: index, d: `M${index} ${y}h1` });
    else stretches.push({ from: index + 0.5, d: `M${index + 0.5} ${y}` });
  }
  return stretches;
}

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
                <Lines chart={chart} periods={periods} step={step} />
                <ChartTable chart={chart} periods={periods} step={step} />
              </section>
            ))}
          </div>
          <p className="small">
            By <span>{step}</span>, in UTC. Updated <WhenInUtc at={countedAt} />.
          </p>
        </>
      )}
    </Panel>
  );
}
