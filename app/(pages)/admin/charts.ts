import { readableBytes } from "@/components/words";
import type { Period } from "@/lib/operator/statistics/view";

/** A line of a chart. */
export interface Line {
  name: string;
  values: (number | null)[];
}

export interface ChartData {
  title: string;
  unit: "count" | "bytes";
  /** What happened in each period, to be added up, or what there was at its end. */
  kind: "flow" | "level";
  lines: Line[];
}

/** Limits that are shown one by one: a chart has four lines that can be told apart. */
const MAX_LIMITS = 3;

/** The charts of the overview. */
export function chartsOf(periods: Period[]): ChartData[] {
  const line = (name: string, of: (period: Period) => number | null): Line => ({ name, values: periods.map(of) });
  return [
    { title: "Users", unit: "count", kind: "level", lines: [line("Users", ({ users }) => users)] },
    { title: "Keys", unit: "count", kind: "level", lines: [line("Keys", ({ keys }) => keys)] },
    {
      title: "Stored",
      unit: "bytes",
      kind: "level",
      lines: [line("Files", ({ fileBytes }) => fileBytes), line("Keys' data", ({ keyBytes }) => keyBytes)],
    },
    {
      title: "Links",
      unit: "count",
      kind: "flow",
      lines: [
        line("Requested", ({ asked }) => asked),
        line("Linked", ({ linked }) => linked),
        line("Denied", ({ denied }) => denied),
        line("Expired", ({ expired }) => expired),
      ],
    },
    {
      title: "Sign-ins",
      unit: "count",
      kind: "flow",
      lines: [line("Sign-ins", ({ signIns }) => signIns), line("Sign-ups", ({ signUps }) => signUps)],
    },
    { title: "Refused by a limit", unit: "count", kind: "flow", lines: refusals(periods) },
  ];
}

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

export const readableValue = (value: number | null, unit: ChartData["unit"]) =>
  value === null ? "–" : unit === "bytes" ? readableBytes(value) : value.toLocaleString("en");

/** The sum of what happened, or what there was last. */
export function totalOf({ values }: Line, kind: ChartData["kind"]): number | null {
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
export const periodName = (at: Date, step: "hour" | "day"): string => FORMATS[step].format(at);
