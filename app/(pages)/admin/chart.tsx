import type { Period } from "@/lib/operator/statistics/view";
import { type ChartData, periodName, readableValue, totalOf } from "./charts";
import styles from "./overview.module.css";

export interface ChartProps {
  chart: ChartData;
  periods: Period[];
  step: "hour" | "day";
}

/** Lines over time, with what they come to. Under the pointer, a tip has the numbers of one period. */
export function Chart({ chart, periods, step }: ChartProps) {
  const { title, unit, kind, lines } = chart;
  // A line has two points: a dot alone says no more than its number above.
  const isDrawn = lines.some(({ values }) => values.filter((value) => value !== null).length > 1);
  return (
    <>
      <div className={styles.chartHead}>
        <h3>{title}</h3>
        <span className={styles.soft}>{kind === "flow" ? "Total" : "Now"}</span>
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
        <p className={styles.soft}>Not enough data for a line yet.</p>
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
