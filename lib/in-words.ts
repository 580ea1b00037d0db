const UNITS = Object.entries({ day: 86_400, hour: 3_600, minute: 60, second: 1 });
const SMALL = "no one two three four five six seven eight nine ten eleven twelve".split(" ");

/** A number as texts have it: "ten", "1,000". */
export const countInWords = (count: number) => SMALL[count] ?? count.toLocaleString("en");

/** A duration as texts have it: "ten minutes", "24 hours", "an hour". Only one day is said in hours. */
export function durationInWords(seconds: number): string {
  const fits = ([unit, length]: [string, number]) =>
    seconds % length === 0 && seconds >= (unit === "day" ? 2 : 1) * length;
  const [unit = "second", length = 1] = UNITS.find(fits) ?? [];
  const count = seconds / length;
  return count === 1 ? `${unit === "hour" ? "an" : "a"} ${unit}` : `${countInWords(count)} ${unit}s`;
}
