import "uplot/dist/uPlot.min.css";
import uPlot from "uplot";
import { type ChartData, readableValue } from "./charts";

/** How lines are told apart, also without their colours: overview.module.css has the same for the legend. */
const LINES = [
  { colour: "--accent", dash: [] },
  { colour: "--brass", dash: [6, 3] },
  { colour: "--danger", dash: [2, 3] },
  { colour: "--ink-soft", dash: [8, 3, 2, 3] },
];

/** Whole steps of an axis: 1, 2, 5, 10, 20 … */
const STEPS = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

interface Drawn extends Pick<ChartData, "lines" | "unit"> {
  times: number[];
}

/** Draws a chart that fills the element's width. Returns what removes it. */
export function drawChart(
  element: HTMLElement,
  { times, lines, unit }: Drawn,
  onPoint: (index: number | null) => void,
): () => void {
  const style = getComputedStyle(element);
  const colour = (token: string) => style.getPropertyValue(token).trim();
  const axis: uPlot.Axis = {
    stroke: colour("--ink-soft"),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  const size = () => ({ width: element.clientWidth, height: element.clientHeight });
  const chart = new uPlot(
    {
      ...size(),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.05)] } },
      axes: [
        {
          ...axis,
          // biome-ignore lint/complexity/useMaxParams: uPlot calls it so.
          values: (_, splits, __, ___, step) => splits.map((split) => timeName(split, step)),
          space: 64,
          size: 28,
        },
        {
          ...axis,
          values: (_, splits) => splits.map((split) => readableValue(split, unit)),
          incrs: STEPS,
          size: widthOf,
        },
      ],
      series: [
        {},
        ...lines.map(({ name, values }, index): uPlot.Series => {
          const { colour: token, dash } = LINES[index % LINES.length] ?? { colour: "--ink", dash: [] };
          const isAlone = lines.length === 1;
          return {
            label: name,
            stroke: colour(token),
            width: 2,
            dash,
            fill: isAlone ? colour("--accent-soft") : undefined,
            points: { size: 5, fill: colour(token), filter: () => isolated(values) },
          };
        }),
      ],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    },
    [times, ...lines.map(({ values }) => values)],
    element,
  );
  const observer = new ResizeObserver(() => chart.setSize(size()));
  observer.observe(element);
  return () => {
    observer.disconnect();
    chart.destroy();
  };
}

/** The values without a neighbour: no line leads to them. */
function isolated(values: (number | null)[]): number[] {
  return values.flatMap((value, index) =>
    value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null ? [index] : [],
  );
}

/** As wide as the longest number needs. */
const widthOf: uPlot.Axis.Size = (_, values) => 20 + 7 * Math.max(1, ...(values ?? []).map((text) => text.length));

const HOUR = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const A_DAY = 86_400;

const timeName = (seconds: number, step: number) => (step < A_DAY ? HOUR : DAY).format(new Date(seconds * 1000));
