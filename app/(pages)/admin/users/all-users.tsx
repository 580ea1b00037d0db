import { SelectField, TextInput } from "@/components/form";
import { Panel } from "@/components/page";
import { PageLinks } from "@/components/table";
import { RelativeTime } from "@/components/time";
import { listUsers, MAX_IDLE_DAYS } from "@/lib/operator/users/list";
import { DIRECTIONS, type Direction, type Sort, USER_SORTS, usualDirection } from "@/lib/operator/users/queries";
import { usersCountedAt } from "@/lib/operator/users/summaries";
import { durationInWords, SEEN_WITHIN_SECONDS } from "@/lib/platform/bounds";
import { FilterForm, type Query, SameCommand, shellWord } from "../console-page";
import { Invite } from "./invite";
import { UserTable } from "./user-table";

/** The list of users that an address requests, by its parameters. */
interface Asked {
  q?: string;
  role?: "admin" | "user";
  access?: "enabled" | "disabled";
  password?: "without";
  idle?: string;
  sort?: Sort;
  order?: Direction;
  after?: string;
}

const oneOf = <Word extends string>(words: readonly Word[], word = "") => words.find((one) => one === word);

/** What an address cannot mean is left out, and so is what is usual: names are listed from A to Z. */
function askedIn(query: Partial<Query>): Asked {
  const q = (query.q ?? "").trim().slice(0, 20);
  const sort = oneOf(USER_SORTS, query.sort) ?? "created";
  const order = oneOf(DIRECTIONS, query.order);
  const isIdle = /^[1-9]\d{0,4}$/.test(query.idle ?? "") && Number(query.idle) <= MAX_IDLE_DAYS;
  const asked: Asked = {
    q: q || undefined,
    role: oneOf(["admin", "user"], query.role),
    access: oneOf(["enabled", "disabled"], query.access),
    password: oneOf(["without"], query.password),
    idle: isIdle ? query.idle : undefined,
    sort: q || sort === "created" ? undefined : sort,
    order: q || order === usualDirection(sort) ? undefined : order,
    after: query.after,
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
}

/** The address of this list, but for what changes. */
function hrefOf(asked: Asked, change: Partial<Query> = {}): string {
  const query = new URLSearchParams(Object.entries(askedIn({ ...asked, ...change })));
  return query.size > 0 ? `/admin/users?${query}` : "/admin/users";
}

/** The options of the admin command that prints the same list. */
const OPTIONS: Record<keyof Omit<Asked, "after">, (value: string) => string> = {
  q: (name) => `--search ${shellWord(name)}`,
  role: (role) => `--role ${role}`,
  access: (access) => `--${access}`,
  password: () => "--without-password",
  idle: (days) => `--idle ${days}`,
  sort: (sort) => `--sort ${sort}`,
  order: (direction) => `--direction ${direction}`,
};

const commandOf = ({ after: _, ...asked }: Asked) =>
  ["user:list", ...Object.entries(asked).map(([name, value]) => OPTIONS[name as keyof typeof asked](value))].join(" ");

/** Whether it shows only some of the users. */
const isFiltered = ({ q, role, access, password, idle }: Asked) => Boolean(q ?? role ?? access ?? password ?? idle);

const SELECTS = [
  { name: "role", label: "Role", choices: { "": "Any", admin: "Administrators", user: "Users" } },
  { name: "access", label: "Access", choices: { "": "Any", enabled: "Enabled", disabled: "Disabled" } },
  { name: "password", label: "Password", choices: { "": "Any", without: "Without" } },
] as const;
const IDLE = ["7", "30", "90", "365"];

/** Filters the list. Works without scripts: the address has what is asked for. */
function FindUsers({ asked }: { asked: Asked }) {
  const days = asked.idle === undefined || IDLE.includes(asked.idle) ? IDLE : [...IDLE, asked.idle];
  return (
    <FilterForm page="/admin/users" isFiltered={isFiltered(asked)} key={JSON.stringify(asked)}>
      <TextInput
        type="search"
        name="q"
        label="Name begins with"
        size="sm"
        defaultValue={asked.q}
        maxLength={20}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {SELECTS.map(({ name, label, choices }) => (
        <SelectField
          key={name}
          name={name}
          label={label}
          size="sm"
          data={Object.entries(choices).map(([value, label]) => ({ value, label }))}
          defaultValue={asked[name]}
        />
      ))}
      <SelectField
        name="idle"
        label="Last seen"
        size="sm"
        data={[
          { value: "", label: "At any time" },
          ...days.map((count) => ({ value: count, label: `Not for ${count} days` })),
        ]}
        defaultValue={asked.idle}
      />
      {asked.sort && <input type="hidden" name="sort" value={asked.sort} />}
    </FilterForm>
  );
}

const A_PAGE = 50;

/** Every user of the service, or those that are asked for. */
export async function AllUsers({ query }: { query: Query }) {
  const asked = askedIn(query);
  const { q: name, role, access, password, idle, sort, order: direction, after } = asked;
  const disabled = access && access === "disabled";
  const filter = { name, role, disabled, passwordless: password && true, idleDays: idle ? Number(idle) : undefined };
  const [{ users, next }, countedAt] = await Promise.all([
    listUsers({ ...filter, sort, direction, after, limit: A_PAGE }),
    usersCountedAt(),
  ]);
  return (
    <>
      <Panel title={isFiltered(asked) ? "Users found" : "All users"}>
        <FindUsers asked={asked} />
        <p className="soft">
          {countedAt ? (
            <span>
              Keys and files as of <RelativeTime at={countedAt} precise />; “last seen” is accurate to{" "}
              <span>{durationInWords(SEEN_WITHIN_SECONDS)}</span>.
            </span>
          ) : (
            <span>Users are being counted for the first time, so some may be missing here. Check again later.</span>
          )}
          {name && <span> Names are listed from A to Z.</span>}
        </p>
        {users.length > 0 ? (
          <UserTable users={users} sorting={name ? {} : sortingOf(asked)} key={hrefOf(asked)} />
        ) : (
          <Nothing asked={asked} isCounted={countedAt !== null} />
        )}
        <PageLinks
          of="users"
          first={after !== undefined && { href: hrefOf(asked, { after: undefined }), words: "First page" }}
          next={next !== null && { href: hrefOf(asked, { after: next }), words: "Next" }}
        />
      </Panel>
      <Panel title="Invite someone">
        <Invite />
      </Panel>
      <SameCommand commands={[commandOf(asked), "user:disable USERNAME", "user:invite --role user"]} />
    </>
  );
}

function Nothing({ asked, isCounted }: { asked: Asked; isCounted: boolean }) {
  if (asked.after !== undefined) return <p className="soft">No more users.</p>;
  if (isFiltered(asked))
    return (
      <p className="soft">
        No users match. <a href="/admin/users">Show all users</a>
      </p>
    );
  return isCounted && <p className="soft">There are no users yet. Invite the first one below.</p>;
}

/** The address for each column that sorts the list by it and, followed again, the other way round. */
function sortingOf(asked: Asked) {
  const { sort: current = "created", order = usualDirection(current) } = asked;
  const other = order === "ascending" ? "descending" : "ascending";
  const head = (sort: Sort) => ({
    href: hrefOf(asked, { sort, order: sort === current ? other : usualDirection(sort), after: undefined }),
    sorted: sort === current ? order : undefined,
  });
  return Object.fromEntries(USER_SORTS.map((sort) => [sort, head(sort)]));
}
