import type { Period } from "@/lib/operator/statistics/view";
import { type ChartData, periodName, readableValue } from "./charts";
import styles from "./overview.module.css";

interface ChartTableProps {
  chart: ChartData;
  periods: Period[];
  step: "hour" | "day" | "week";
}

/** The numbers of a chart, newest first. */
export function ChartTable({ chart: { title, lines, unit }, periods, step }: ChartTableProps) {
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
              <th scope="col">{`${step === "hour" ? "Hour" : step === "day" ? "Day" : "Week"} (UTC)`}</th>
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
