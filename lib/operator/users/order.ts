import { KIND } from "@/lib/user-kind";

/** What a list of users is sorted by. */
export const USER_SORTS = ["name", "created", "seen", "keys", "bytes"] as const;
export type Sort = (typeof USER_SORTS)[number];

export const DIRECTIONS = ["ascending", "descending"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Names from A, everything else from the latest or the most. */
export const usualDirection = (sort: Sort): Direction => (sort === "name" ? "ascending" : "descending");

/** What a list of users shows. */
export interface UserFilter {
  /** The beginning of the name, in any case. */
  name?: string;
  role?: "admin" | "user";
  disabled?: boolean;
  /** Only those without a password, or only those with one. */
  passwordless?: boolean;
  /** Only those who have not been seen for so many days. */
  idleDays?: number;
}

/** The kinds of UserSummary that a filter lets through. */
export function kindsOf({ role, disabled, passwordless }: UserFilter): number[] {
  const wanted: [number, boolean | undefined][] = [
    [KIND.admin, role && role === "admin"],
    [KIND.disabled, disabled],
    [KIND.passwordless, passwordless],
  ];
  return Array.from({ length: 8 }, (_, kind) => kind).filter((kind) =>
    wanted.every(([bit, isSet]) => isSet === undefined || isSet === (kind & bit) > 0),
  );
}
