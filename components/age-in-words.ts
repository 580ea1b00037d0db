const UNITS = Object.entries({ day: 86_400, hour: 3_600, minute: 60 });
const WEEK = 7 * 86_400;

/**
 * How long ago something happened, such as "3 minutes ago". Null for a week and more: then a day says more. What a
 * wrong clock places in the future happened "a moment ago".
 */
export function ageInWords(seconds: number): string | null {
  if (seconds >= WEEK) return null;
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? [];
  if (length === undefined) return "a moment ago";
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
