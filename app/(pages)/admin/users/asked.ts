import { MOST_IDLE_DAYS } from "@/lib/operator/users/list";
import {
  DIRECTIONS,
  type Direction,
  type Sort,
  USER_SORTS,
  type UserFilter,
  usualDirection,
} from "@/lib/operator/users/queries";
import { shellWord } from "../shell-word";

/** What an address asks the list of users for. Whatever it cannot mean is left out. */
export interface Asked extends UserFilter {
  sort: Sort;
  direction: Direction;
  after?: string;
}

export function readAsked(sent: Record<string, string>): Asked {
  const name = (sent.q ?? "").trim().slice(0, 20) || undefined;
  const sort = name ? "name" : (USER_SORTS.find((one) => one === sent.sort) ?? "created");
  const direction = DIRECTIONS.find((one) => one === sent.order && !name) ?? usualDirection(sort);
  const days = /^[1-9]\d{0,4}$/.test(sent.idle ?? "") ? Number(sent.idle) : undefined;
  return {
    name,
    role: sent.role === "admin" || sent.role === "user" ? sent.role : undefined,
    disabled: sent.access === "disabled" ? true : sent.access === "enabled" ? false : undefined,
    passwordless: sent.password === "without" ? true : undefined,
    idleDays: days !== undefined && days <= MOST_IDLE_DAYS ? days : undefined,
    sort,
    direction,
    after: sent.after,
  };
}

/** The address of a list. */
export function listHref({ name, role, disabled, passwordless, idleDays, sort, direction, after }: Asked): string {
  const query = new URLSearchParams();
  const put = (parameter: string, value: string | undefined) => value && query.set(parameter, value);
  put("q", name);
  put("role", role);
  put("access", disabled === undefined ? undefined : disabled ? "disabled" : "enabled");
  put("password", passwordless ? "without" : undefined);
  put("idle", idleDays?.toString());
  if (!name && sort !== "created") put("sort", sort);
  if (!name && direction !== usualDirection(sort)) put("order", direction);
  put("after", after);
  return query.size > 0 ? `/admin/users?${query}` : "/admin/users";
}

/** The admin command that prints the same list. */
export function commandOf({ name, role, disabled, passwordless, idleDays, sort, direction }: Asked): string {
  const options = [
    name && `--search ${shellWord(name)}`,
    role && `--role ${role}`,
    disabled !== undefined && (disabled ? "--disabled" : "--enabled"),
    passwordless && "--without-password",
    idleDays !== undefined && `--idle ${idleDays}`,
    !name && sort !== "created" && `--sort ${sort}`,
    !name && direction !== usualDirection(sort) && `--direction ${direction}`,
  ];
  return ["user:list", ...options.filter(Boolean)].join(" ");
}

/** Whether it shows only some of the users. */
export const isFiltered = ({ name, role, disabled, passwordless, idleDays }: Asked): boolean =>
  [name, role, disabled, passwordless, idleDays].some((one) => one !== undefined);
