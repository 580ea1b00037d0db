"use client";

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type ChartData, periodName, readableValue, totalOf } from "./charts";
import styles from "./overview.module.css";

const shown = () => document.documentElement.dataset.colorScheme ?? "light";

function follow(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-color-scheme"] });
  return () => observer.disconnect();
}

/** The colour scheme that the document has now, for what is drawn by a script. */
function useColorScheme(): string {
  return useSyncExternalStore(follow, shown, () => "light");
}

interface ChartProps extends ChartData {
  /** When each period began, in Unix seconds. */
  times: number[];
  step: "hour" | "day" | "week";
}

/** Lines over time. Under the pointer, the legend shows the numbers of one period; otherwise all together. */
export function Chart({ title, unit, kind, lines, times, step }: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const scheme = useColorScheme();
  const data = useRef({ times, lines, unit });

  // Drawn anew in the colours of the scheme. The library is loaded here, because no other page has charts.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the document
  useEffect(() => {
    const { current } = container;
    if (!current) return;
    let remove = () => {};
    let isOver = false;
    void import("./draw-chart").then(({ drawChart }) => {
      if (!isOver) remove = drawChart(current, data.current, setPointed);
    });
    return () => {
      isOver = true;
      remove();
    };
  }, [scheme]);

  // A line has two points: a dot alone says no more than its number above.
  const isDrawn = lines.some(({ values }) => values.filter((value) => value !== null).length > 1);
  const at = pointed === null ? undefined : times[pointed];
  return (
    <>
      <div className={styles.chartHead}>
        <h3>{title}</h3>
        <span className={styles.soft}>
          {at !== undefined ? periodName(new Date(at * 1000), step) : kind === "flow" ? "Total" : "Now"}
        </span>
      </div>
      <ul className={styles.legend}>
        {lines.map((line, index) => (
          <li key={line.name}>
            <svg viewBox="0 0 24 4" aria-hidden="true" className={styles[`line${index}`]}>
              <path d="M0 2h24" />
            </svg>
            <span>{line.name}</span>{" "}
            <strong>
              {readableValue(pointed === null ? totalOf(line, kind) : (line.values[pointed] ?? null), unit)}
            </strong>
          </li>
        ))}
      </ul>
      {isDrawn ? (
        <div ref={container} className={styles.plot} aria-hidden="true" />
      ) : (
        <p className={styles.soft}>Not enough data for a line yet.</p>
      )}
    </>
  );
}
