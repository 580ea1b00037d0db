import { blockedNetworks } from "@/lib/blocked-networks/list";
import { db } from "@/lib/db/client";
import { FIND_BY, listAllKeys } from "@/lib/keys/all/list";
import { recentGuessers } from "@/lib/link/guessers";
import { recentLinks } from "@/lib/link/recent";
import { readFilter, type TypedFilter } from "@/lib/operator/audit/filter";
import { auditPage } from "@/lib/operator/audit/page";
import { lastExamination } from "@/lib/operator/examination";
import { serviceFacts } from "@/lib/operator/overview";
import { RANGES, type StatisticsRange, statisticsFor } from "@/lib/operator/statistics";
import { listUsers } from "@/lib/operator/users/list";
import { DIRECTIONS, USER_SORTS, type UserFilter } from "@/lib/operator/users/order";
import { showUser } from "@/lib/operator/users/show";

/** Called for a page, with what the one before it returned; null is the last one. */
type Query = (after?: string) => Promise<string | null>;
type Named = [name: string, query: Query];

/** A query without further pages. */
const once = (query: () => Promise<unknown>) => async () => {
  await query();
  return null;
};

const A_PAGE = 50;
/** Causes a twentieth of all events, and has more keys than most. */
const BUSY = "user-0000001";
const NETWORK = "198.19.7.3";

const USER_FILTERS: UserFilter[] = [
  {},
  { role: "admin" },
  { role: "user" },
  { disabled: true },
  { disabled: false },
  { passwordless: true },
  { passwordless: false },
  { idleDays: 1 },
  { idleDays: 30 },
  { idleDays: 360 },
  { disabled: true, idleDays: 30 },
  { role: "user", disabled: false, passwordless: true, idleDays: 90 },
];

const users: Named[] = [
  ...USER_FILTERS.flatMap((filter) =>
    USER_SORTS.flatMap((sort) =>
      DIRECTIONS.map((direction): Named => {
        const name = `users ${JSON.stringify(filter)} by ${sort}, ${direction}`;
        return [name, async (after) => (await listUsers({ ...filter, sort, direction, limit: A_PAGE, after })).next];
      }),
    ),
  ),
  ...["u", "user-05", "user-0999999", "nobody"].map(
    (name): Named => [
      `users named ${name}`,
      async (after) => (await listUsers({ name, idleDays: 30, limit: A_PAGE, after })).next,
    ],
  ),
  ["one user", once(() => showUser(BUSY))],
];

const SEARCHES: Record<(typeof FIND_BY)[number], string[]> = {
  name: ["", "l", "licence 77", "Licence 777777", "nothing"],
  creator: [BUSY, "user-0500000", "nobody"],
  holder: [BUSY, "user-0500000"],
};

const keys: Named[] = FIND_BY.flatMap((by) =>
  SEARCHES[by].map(
    (text): Named => [`keys by ${by} "${text}"`, async (cursor) => (await listAllKeys(by, text, cursor))?.next ?? null],
  ),
);

const links: Named[] = [
  ["links of the last hours", once(() => recentLinks())],
  ["networks that guess", once(() => recentGuessers())],
  ["blocked networks", once(() => blockedNetworks(A_PAGE))],
];

const overview: Named[] = [
  ["overview: the service", once(() => serviceFacts())],
  ["overview: the doctor", once(() => lastExamination())],
  ...(Object.keys(RANGES) as StatisticsRange[]).map(
    (range): Named => [`overview: statistics of the ${range}`, once(() => statisticsFor(range))],
  ),
];

const auditFilters = (key: string): TypedFilter[] => [
  {},
  { who: BUSY },
  { who: "operator" },
  { who: "nobody" },
  { what: "key" },
  { what: "console.refuse" },
  { which: key },
  { network: NETWORK },
  { from: "7d" },
  { to: "300d" },
  { who: BUSY, what: "key.update" },
  { who: BUSY, what: "user" },
  { who: "nobody", what: "key" },
  { who: "operator", what: "user.disable" },
  { who: BUSY, which: key },
  { network: NETWORK, what: "link" },
  { network: NETWORK, who: "nobody" },
  { what: "key.create", to: "300d" },
  { who: BUSY, what: "key.revoke", to: "300d" },
];

/** Every query of the console. */
export async function consoleQueries(): Promise<Named[]> {
  const key = (await db.key.findFirst({ skip: 5, select: { id: true } }))?.id ?? "";
  const audit = auditFilters(key).map(
    (typed): Named => [
      `audit ${JSON.stringify(typed)}`,
      async (before) => {
        const { next } = await auditPage(await readFilter(typed), A_PAGE, before ? Number(before) : undefined);
        return next === null ? null : String(next);
      },
    ],
  );
  return [...overview, ...users, ...keys, ...links, ...audit];
}
