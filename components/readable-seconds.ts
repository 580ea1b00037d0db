const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration for people, like "8 s", "45 s" or "1 h 20 min": rounded up, and the longer the coarser, to stay calm. */
export function readableSeconds(seconds: number): string {
  if (seconds <= 10) return `${Math.max(1, Math.ceil(seconds))} s`;
  if (seconds <= MINUTE - 5) return `${Math.ceil(seconds / 5) * 5} s`;
  if (seconds > DAY) return "more than a day";
  const minutes = Math.ceil(seconds / MINUTE);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])].join(" ");
}
