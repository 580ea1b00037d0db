import { readFileSync, writeFileSync } from "node:fs";
import type { Comparison } from "./rounds";
import type { Start } from "./start";

const PAGE = "docs/benchmark.md";
const PICTURE = "docs/benchmark.svg";
const BEGIN = "<!-- measured: npm run bench -->";
const END = "<!-- /measured -->";

const number = (value: number, digits = 0) =>
  Number.isFinite(value)
    ? value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits })
    : "?";
/** Two digits that mean something. */
const figure = (value: number) => number(value, value < 10 ? 2 : value < 100 ? 1 : 0);

/** The results of each contender, and how Latchkey compares, as a table of Markdown. */
export function tableOf({ work, database, results }: Comparison): string {
  const titles = Object.keys(results[0]?.figures ?? {});
  const rows = results.map(({ name, kind, figures, oursToThis }) => [
    name,
    ...titles.map((title) => figure(figures[title] ?? Number.NaN)),
    kind === "ours" ? "" : `${number(oursToThis, 2)} ×`,
  ]);
  const head = [`${work}, ${database}`, ...titles, "Latchkey / this"];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  const line = (row: string[]) => `| ${row.map(padded).join(" | ")} |`;
  const dashes = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  const rule = line(dashes);
  return [line(head), rule, ...rows.map(line)].join("\n");
}

/** Writes the tables into docs/benchmark.md, and their picture beside it. */
export function publish(about: string, start: Start, comparisons: Comparison[]): void {
  const measured = [
    about,
    `A start with a build at hand takes ${number(start.toFirstResponse, 2)} s until the first response; idle, the ` +
      `service has ${number(start.idleMemoryMB)} MB. \`/keys/mine\` with 10,000 keys takes ` +
      `${number(start.tenThousandKeys, 2)} s.`,
    ...comparisons.map(tableOf),
  ].join("\n\n");
  const page = readFileSync(PAGE, "utf8");
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no place for the tables: ${BEGIN} … ${END}`);
  writeFileSync(PAGE, `${page.slice(0, begin + BEGIN.length)}\n\n${measured}\n\n${page.slice(end)}`);
  writeFileSync(PICTURE, picture(comparisons));
  console.log(`\nWrote ${PAGE} and ${PICTURE}.`);
}

const ROW = 22;
const LEFT = 250;
const UNIT = 150;

/** How much of the floor's speed Latchkey has: a bar for each work. */
function picture(comparisons: Comparison[]): string {
  const bars = comparisons.map(({ work, database, results }, index) => {
    const ratio = results.find(({ kind }) => kind === "floor")?.oursToThis ?? 0;
    const y = 44 + index * ROW;
    const colour = database === "SQLite" ? "#0b7285" : "#364fc7";
    return (
      `<text x="${LEFT - 8}" y="${y + 12}" text-anchor="end">${work}, ${database}</text>` +
      `<rect x="${LEFT}" y="${y}" width="${Math.round(ratio * UNIT)}" height="${ROW - 6}" fill="${colour}"/>` +
      `<text x="${LEFT + Math.round(ratio * UNIT) + 6}" y="${y + 12}">${number(ratio, 2)}</text>`
    );
  });
  const height = 56 + comparisons.length * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${height}"
  font-family="system-ui, sans-serif" font-size="12" fill="#212529">
<title>Speed of a bare server that Latchkey has, for each kind of work</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="${LEFT}" y="24" font-size="14" font-weight="600">Speed of a bare server on the same rows (1 is as fast)</text>
<path d="M${LEFT + UNIT} 36V${height - 8}" stroke="#adb5bd" stroke-dasharray="3 3"/>
${bars.join("\n")}
</svg>
`;
}
