import { type Growth, growthOf, isSteep, type Kept, type Measurement } from "./figures";

const thousands = (value: number) => Math.round(value).toLocaleString("en");
const ms = (value: number) => (value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : thousands(value));

/** The measurements of one database, smallest first. */
export const ofDatabase = (measured: Measurement[], database: Measurement["database"]) =>
  measured.filter((one) => one.database === database);

export const databasesOf = (measured: Measurement[]) => [...new Set(measured.map(({ database }) => database))];

/** What was measured, as Markdown. */
export function report({ machine: { cpu, cores, memoryGB, node }, measured }: Kept): string {
  const about = `Measured on ${cores} cores (${cpu}) with ${memoryGB} GB and Node.js ${node}, one call at a time.`;
  return [about, ...databasesOf(measured).map((database) => section(database, ofDatabase(measured, database)))].join(
    "\n\n",
  );
}

function section(database: string, measured: Measurement[]): string {
  const sizes = measured.map(({ size }) => thousands(size.users));
  const growth = growthOf(measured);
  const [hasPages, hasProcessor] = [
    growth.some(({ pages }) => pages.length > 0),
    growth.some(({ processor }) => processor.length > 0),
  ];
  const facts = (name: string, of: (one: Measurement) => string) => line([name, ...measured.map(of)]);
  return [
    `### ${database}`,
    [
      ...head(["users", ...sizes]),
      facts("rows in all", ({ facts }) => thousands(facts.rows)),
      facts("database, MB", ({ facts }) => thousands(facts.bytes / 1e6)),
      facts("backup, MB", ({ facts }) => thousands(facts.backupBytes / 1e6)),
      facts("backup, s", ({ facts }) => ms(facts.backupMs / 1e3)),
      facts("load average at the end", ({ facts }) => (facts.load === undefined ? "not noted" : ms(facts.load))),
      facts("backup, rows per second", ({ facts }) => thousands(facts.rows / (facts.backupMs / 1e3))),
    ].join("\n"),
    [
      ...head([
        "p50 (p99), ms, at so many users",
        ...sizes,
        ...(hasProcessor ? ["processor, ms"] : []),
        ...(hasPages ? ["pages read"] : []),
        ...(measured.length > 1 ? ["× for a hundred times as many"] : []),
      ]),
      ...growth.map((one) => row(one, hasProcessor, hasPages)),
    ].join("\n"),
  ].join("\n\n");
}

function row(growth: Growth, hasProcessor: boolean, hasPages: boolean): string {
  const { name, p50, p99, processor, pages, per100 } = growth;
  const factor = per100.toFixed(2);
  const series = (values: number[], said: (value: number) => string) => values.map(said).join(", ");
  return line([
    name.startsWith("/") ? `\`${name}\`` : name,
    ...p50.map((median, index) => `${ms(median)} (${ms(p99[index] ?? 0)})`),
    ...(hasProcessor ? [series(processor, ms)] : []),
    ...(hasPages ? [series(pages, (count) => (count < 10 ? count.toFixed(1) : thousands(count)))] : []),
    ...(p50.length > 1 ? [isSteep(growth) ? `**${factor}**` : factor] : []),
  ]);
}

const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
const head = (cells: string[]) => [line(cells), line(cells.map((_, index) => (index === 0 ? "---" : "---:")))];
