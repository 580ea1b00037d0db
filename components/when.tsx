const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const second = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });

/** A day, or with `precise` a second of it, in UTC: the server and the browser must write the same. */
export function When({ at, precise = false }: { at: Date; precise?: boolean }) {
  return <time dateTime={at.toISOString()}>{precise ? `${second.format(at)} UTC` : day.format(at)}</time>;
}
