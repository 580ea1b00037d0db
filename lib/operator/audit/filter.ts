import { userNotFound } from "@/lib/accounts/errors";
import { findUser, USERNAME } from "@/lib/accounts/identity/user";
import { OPERATOR } from "@/lib/platform/audit";
import { AUDIT_EVENTS, type AuditAction } from "@/lib/platform/audit-events";
import { invalidParameter } from "@/lib/platform/errors";
import { networkNamed } from "@/lib/platform/network/network";
import { DAY_MS, HOUR_MS } from "@/lib/platform/time";
import type { AuditFilter } from "./search";

export const AUDIT_ACTIONS = Object.keys(AUDIT_EVENTS) as AuditAction[];

/** What actions are about: the part of their names before the dot. */
export const AUDIT_GROUPS = [...new Set(AUDIT_ACTIONS.map((action) => action.replace(/\..*$/, "")))];

/** The actions of a group, or the action of this name. None: there is neither. */
export function actionsNamed(name: string): AuditAction[] {
  return AUDIT_ACTIONS.filter((action) => action === name || action.startsWith(`${name}.`));
}

/** The fields of a filter as somebody entered them; an empty one counts as left out. */
export const FILTER_FIELDS = ["who", "what", "which", "network", "from", "to"] as const;
export type FilterInput = Partial<Record<(typeof FILTER_FIELDS)[number], string>>;

/** The word for events of nobody: of programs that nobody was signed in for. */
const NOBODY = "nobody";

const ID = /^[0-9a-f]{32}$/;
const MAX = 100;
const AGO = /^(\d{1,6})([smhdw])$/;
const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z?$/;

/**
 * Reads a filter. `who` is a username or an id, "operator" or "nobody"; `what` an action or a group of them; `which` a
 * username, or an id as events have it; `network` an address, or a network as an event has it; `from` and `to` days or
 * times in UTC, or how long ago, like 90m or 7d. `to` includes its day or second. Throws 400 `invalid_parameter` with
 * the field, and 404 `user_not_found`.
 */
export async function readFilter(input: FilterInput, now = new Date()): Promise<AuditFilter> {
  const fields = filterIn(input);
  for (const [field, text] of Object.entries(fields))
    if (text.length > MAX || /\p{Cc}/u.test(text) || !text.isWellFormed())
      throw invalidParameter(`Use at most ${MAX} characters, without control characters.`, field);
  const { who, what, which, network, from, to } = fields;
  const filter: AuditFilter = {};
  if (who) filter.actorId = who === NOBODY ? null : await actorNamed(who);
  if (what) {
    filter.actions = actionsNamed(what);
    if (filter.actions.length === 0)
      throw invalidParameter(
        `There is no action ${what}. Use one like key.create, or a group: ${AUDIT_GROUPS.join(", ")}.`,
        "what",
      );
  }
  if (which) filter.subjectId = await subjectNamed(which);
  if (network) {
    filter.network = networkNamed(network);
    if (filter.network === undefined)
      throw invalidParameter("Use an address, like 203.0.113.7, or a network, like 203.0.113.0/24.", "network");
  }
  if (from) filter.since = timeOf(from, "from", now);
  if (to) filter.until = timeOf(to, "to", now);
  if (filter.since && filter.until && filter.since > filter.until)
    throw invalidParameter("The start is after the end.", "from");
  return filter;
}

/** The fields of a filter that are filled in, among others. */
export function filterIn(fields: Partial<Record<string, string>>): FilterInput {
  const filled = FILTER_FIELDS.map((field) => [field, fields[field]?.trim()]).filter(([, text]) => text);
  return Object.fromEntries(filled);
}

/** Of a deleted account, events keep the id. */
async function actorNamed(who: string): Promise<string> {
  if (who === OPERATOR || ID.test(who)) return who;
  if (!USERNAME.test(who)) throw userNotFound();
  return (await findUser(who)).id;
}

/** Subjects that are no users have ids, or words such as "backup". */
async function subjectNamed(which: string): Promise<string> {
  if (ID.test(which) || !USERNAME.test(which)) return which;
  return findUser(which).then(
    ({ id }) => id,
    () => which,
  );
}

function timeOf(written: string, field: "from" | "to", now: Date): Date {
  const ago = AGO.exec(written);
  if (ago) return new Date(now.getTime() - Number(ago[1]) * (UNITS[ago[2] ?? ""] ?? 0));
  const [, day, time = ""] = TIME.exec(written) ?? [];
  const text = DAY.test(written)
    ? `${written}T${field === "from" ? "00:00:00.000" : "23:59:59.999"}`
    : `${day}T${time.length === 5 ? `${time}:${field === "from" ? "00" : "59"}` : time}`;
  const complete = /\.\d+$/.test(text) ? text : `${text}.${field === "from" ? "000" : "999"}`;
  const at = new Date(`${complete}Z`);
  // JavaScript reads 31 February as 3 March.
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(complete.slice(0, 10)))
    throw invalidParameter(
      "Write a day like 2026-03-31, a time in UTC like 2026-03-31T18:30, or how long ago: 90m, 24h, 7d.",
      field,
    );
  return at;
}
