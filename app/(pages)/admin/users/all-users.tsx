import { SelectField, TextInput } from "@/components/form";
import { Panel } from "@/components/page";
import { PageLinks } from "@/components/table";
import { RelativeTime } from "@/components/time";
import { listUsers, MAX_IDLE_DAYS } from "@/lib/operator/users/list";
import {
  DIRECTIONS,
  type Direction,
  type Sort,
  USER_SORTS,
  type UserFilter,
  usualDirection,
} from "@/lib/operator/users/queries";
import { usersCountedAt } from "@/lib/operator/users/summaries";
import { durationInWords, SEEN_WITHIN_SECONDS } from "@/lib/platform/bounds";
import { FilterForm } from "../console-page";
import { SameCommand, shellWord } from "../same-command";
import { Invite } from "./invite";
import { UserTable } from "./user-table";
import styles from "./users.module.css";

/** The list of users that an address requests. Whatever it cannot mean is left out. */
interface ListOptions extends UserFilter {
  sort: Sort;
  direction: Direction;
  after?: string;
}

function readOptions(parameters: Record<string, string>): ListOptions {
  const name = (parameters.q ?? "").trim().slice(0, 20) || undefined;
  const sort = name ? "name" : (USER_SORTS.find((one) => one === parameters.sort) ?? "created");
  const direction = DIRECTIONS.find((one) => one === parameters.order && !name) ?? usualDirection(sort);
  const days = /^[1-9]\d{0,4}$/.test(parameters.idle ?? "") ? Number(parameters.idle) : undefined;
  return {
    name,
    role: parameters.role === "admin" || parameters.role === "user" ? parameters.role : undefined,
    disabled: parameters.access === "disabled" ? true : parameters.access === "enabled" ? false : undefined,
    passwordless: parameters.password === "without" ? true : undefined,
    idleDays: days !== undefined && days <= MAX_IDLE_DAYS ? days : undefined,
    sort,
    direction,
    after: parameters.after,
  };
}

/** The address of a list. */
function listHref({ name, role, disabled, passwordless, idleDays, sort, direction, after }: ListOptions): string {
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
function commandOf({ name, role, disabled, passwordless, idleDays, sort, direction }: ListOptions): string {
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
const isFiltered = ({ name, role, disabled, passwordless, idleDays }: ListOptions): boolean =>
  [name, role, disabled, passwordless, idleDays].some((one) => one !== undefined);

const ROLES = [
  { value: "", label: "Any" },
  { value: "admin", label: "Administrators" },
  { value: "user", label: "Users" },
];
const ACCESS = [
  { value: "", label: "Any" },
  { value: "enabled", label: "Enabled" },
  { value: "disabled", label: "Disabled" },
];
const PASSWORDS = [
  { value: "", label: "Any" },
  { value: "without", label: "Without" },
];
const IDLE = [7, 30, 90, 365];

/** Filters the list. Works without scripts: the address has what is asked for. */
function FindUsers({ options }: { options: ListOptions }) {
  const { name = "", role = "", disabled, passwordless, idleDays } = options;
  const days = idleDays === undefined || IDLE.includes(idleDays) ? IDLE : [...IDLE, idleDays];
  const access = disabled === undefined ? "" : disabled ? "disabled" : "enabled";
  return (
    <FilterForm page="/admin/users" isFiltered={isFiltered(options)} key={JSON.stringify(options)}>
      <TextInput
        type="search"
        name="q"
        label="Name begins with"
        size="sm"
        defaultValue={name}
        maxLength={20}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <SelectField name="role" label="Role" size="sm" data={ROLES} defaultValue={role} />
      <SelectField name="access" label="Access" size="sm" data={ACCESS} defaultValue={access} />
      <SelectField
        name="password"
        label="Password"
        size="sm"
        data={PASSWORDS}
        defaultValue={passwordless ? "without" : ""}
      />
      <SelectField
        name="idle"
        label="Last seen"
        size="sm"
        data={[
          { value: "", label: "At any time" },
          ...days.map((count) => ({ value: String(count), label: `Not for ${count} days` })),
        ]}
        defaultValue={idleDays ?? ""}
      />
      {options.sort !== "created" && name === "" && <input type="hidden" name="sort" value={options.sort} />}
    </FilterForm>
  );
}

const A_PAGE = 50;

/** Every user of the service, or those that are asked for. */
export async function AllUsers({ parameters }: { parameters: Record<string, string> }) {
  const options = readOptions(parameters);
  const [{ users, next }, countedAt] = await Promise.all([listUsers({ ...options, limit: A_PAGE }), usersCountedAt()]);
  return (
    <>
      <Panel title={isFiltered(options) ? "Users found" : "All users"}>
        <FindUsers options={options} />
        <p className={styles.soft}>
          {countedAt ? (
            <span>
              Keys and files as of <RelativeTime at={countedAt} precise />; “last seen” is accurate to{" "}
              <span>{durationInWords(SEEN_WITHIN_SECONDS)}</span>.
            </span>
          ) : (
            <span>Users are being counted for the first time, so some may be missing here. Check again later.</span>
          )}
          {options.name && <span> Names are listed from A to Z.</span>}
        </p>
        {users.length > 0 ? (
          <UserTable users={users} sorting={sortingOf(options)} key={listHref(options)} />
        ) : (
          <Nothing options={options} isCounted={countedAt !== null} />
        )}
        <PageLinks
          of="users"
          first={
            options.after !== undefined && { href: listHref({ ...options, after: undefined }), words: "First page" }
          }
          next={next !== null && { href: listHref({ ...options, after: next }), words: "Next" }}
        />
      </Panel>
      <Panel title="Invite someone">
        <Invite />
      </Panel>
      <SameCommand commands={[commandOf(options), "user:disable USERNAME", "user:invite --role user"]} />
    </>
  );
}

function Nothing({ options, isCounted }: { options: ListOptions; isCounted: boolean }) {
  if (options.after !== undefined) return <p className={styles.soft}>No more users.</p>;
  if (isFiltered(options))
    return (
      <p className={styles.soft}>
        No users match. <a href="/admin/users">Show all users</a>
      </p>
    );
  return isCounted && <p className={styles.soft}>There are no users yet. Invite the first one below.</p>;
}

/** The address for each column that sorts the list by it and, followed again, the other way round. */
function sortingOf(options: ListOptions) {
  const head = (sort: Sort) => {
    const { sort: current, direction, after: _, ...rest } = options;
    const isThis = sort === current;
    const first = sort === "name" ? "ascending" : "descending";
    const other = direction === "ascending" ? "descending" : "ascending";
    return {
      href: listHref({ ...rest, sort, direction: isThis ? other : first }),
      sorted: isThis ? direction : undefined,
    };
  };
  return options.name
    ? {}
    : {
        name: head("name"),
        created: head("created"),
        seen: head("seen"),
        keys: head("keys"),
        bytes: head("bytes"),
      };
}
