import { eventWords } from "@/components/events";
import { SelectField, TextInput } from "@/components/form";
import { EmptyState, Panel } from "@/components/page";
import { DataTable, idBefore, PageLinks } from "@/components/table";
import { WhenInUtc } from "@/components/time";
import { AUDIT_ACTIONS, AUDIT_GROUPS, type FilterInput, filterIn, readFilter } from "@/lib/operator/audit/filter";
import { auditPage } from "@/lib/operator/audit/page";
import type { AuditFilter, NamedEvent } from "@/lib/operator/audit/search";
import { ApiError } from "@/lib/platform/errors";
import { describeProgram } from "@/lib/platform/user-agent";
import { consolePage, consoleTitle, FilterForm, SameCommand, shellWord } from "../console-page";
import styles from "./audit.module.css";
import { NewEvents } from "./new-events";

interface AuditFilterProps {
  input: FilterInput;
  /** Why a field was refused. */
  refused?: { field?: string; error: string };
}

/** The actions to choose from, by group. */
const GROUPS = AUDIT_GROUPS.map((group) => ({
  group,
  actions: AUDIT_ACTIONS.filter((action) => action.startsWith(`${group}.`)),
}));

const FIELDS = [
  { name: "who", label: "Who", placeholder: "Username or operator" },
  { name: "which", label: "Which", placeholder: "Key id or username" },
  { name: "network", label: "Network", placeholder: "203.0.113.7" },
  { name: "from", label: "From (UTC)", placeholder: "2026-03-31 or 7d" },
  { name: "to", label: "To (UTC)", placeholder: "2026-04-30" },
] as const;

/** The filter of the audit trail. The address has it, so that it can be kept and sent to somebody. */
function AuditFilterForm({ input, refused }: AuditFilterProps) {
  const errorOf = (name: string) => (refused?.field === name ? refused.error : undefined);
  return (
    <FilterForm page="/admin/audit" isFiltered={Object.keys(input).length > 0}>
      <SelectField
        label="What"
        name="what"
        size="sm"
        defaultValue={input.what ?? ""}
        error={errorOf("what")}
        data={[
          { value: "", label: "Everything" },
          ...GROUPS.map(({ group, actions }) => ({
            group,
            items: [
              { value: group, label: `All of ${group}` },
              ...actions.map((action) => ({ value: action, label: action })),
            ],
          })),
        ]}
      />
      {FIELDS.map(({ name, label, placeholder }) => (
        <TextInput
          key={name}
          name={name}
          label={label}
          placeholder={placeholder}
          defaultValue={input[name] ?? ""}
          error={errorOf(name)}
          maxLength={100}
          size="sm"
          autoComplete="off"
          spellCheck={false}
        />
      ))}
    </FilterForm>
  );
}

/** Events, newest first: a sentence for each, and beneath it what is stored. */
function EventTable({ events }: { events: NamedEvent[] }) {
  return (
    <DataTable
      label="Events, newest first"
      className={styles.events}
      rows={events}
      keyOf={({ id }) => id}
      columns={{
        when: { head: "When", className: styles.when, cell: ({ at }) => <WhenInUtc at={at} /> },
        who: { head: "Who", className: styles.who, cell: Actor },
        what: { head: "What", className: styles.what, cell: Happened },
      }}
    />
  );
}

function Happened(event: NamedEvent) {
  return (
    <details>
      <summary>
        <span>{eventWords({ ...event, browser: describeProgram(event.detail.program ?? "") }, "The account")}</span>
        {event.subject !== null && event.subjectId !== event.actorId && <Subject name={event.subject} />}
      </summary>
      <Stored event={event} />
    </details>
  );
}

function Actor({ actor, actorId }: NamedEvent) {
  if (actorId === null) return <span className="soft">Nobody</span>;
  if (actor === null)
    return (
      <a href={`/admin/audit?who=${actorId}`} className="soft">
        A deleted account
      </a>
    );
  return <a href={`/admin/audit?who=${encodeURIComponent(actor)}`}>{actor}</a>;
}

function Subject({ name }: { name: string }) {
  return (
    <span>
      {" "}
      (<bdi translate="no">{name}</bdi>)
    </span>
  );
}

function Stored({ event: { id, action, subjectId, network, detail } }: { event: NamedEvent }) {
  const facts: [string, string, string?][] = [
    ["Event", String(id)],
    ["Action", action, `what=${action}`],
    ["About", subjectId, `which=${encodeURIComponent(subjectId)}`],
    ...Object.entries(detail).map(([name, value]): [string, string, string?] =>
      name === "network" && network ? [name, value, `network=${encodeURIComponent(network)}`] : [name, value],
    ),
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value, query]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{query ? <a href={`/admin/audit?${query}`}>{value}</a> : <bdi translate="no">{value}</bdi>}</dd>
        </div>
      ))}
    </dl>
  );
}

export const generateMetadata = () => consoleTitle("Audit");

const A_PAGE = 50;

export default consolePage("Audit", async (query) => {
  const input = filterIn(query);
  const filter = await readFilter(input).catch(refused);
  return (
    <Panel title={Object.keys(input).length > 0 ? "Events found" : "All events, newest first"}>
      <AuditFilterForm input={input} refused={"error" in filter ? filter : undefined} />
      {"error" in filter ? (
        <p className="soft">Correct the filter to see the events.</p>
      ) : (
        <Events filter={filter} input={input} before={idBefore(query.before)} />
      )}
    </Panel>
  );
});

function refused(thrown: unknown): { error: string; field?: string } {
  if (!(thrown instanceof ApiError)) throw thrown;
  return { error: thrown.message, field: thrown.code === "user_not_found" ? "who" : thrown.field };
}

async function Events({ filter, input, before }: { filter: AuditFilter; input: FilterInput; before?: number }) {
  const { events, newest, next, searchedBackTo } = await auditPage(filter, A_PAGE, before);
  const query = new URLSearchParams(input).toString();
  const filtered = query === "" ? "" : `&${query}`;
  return (
    <>
      {before === undefined && !input.to && <NewEvents query={query} after={newest} />}
      {events.length > 0 ? (
        <EventTable events={events} />
      ) : (
        <EmptyState picture="plate" title={nothing(next !== null, before !== undefined, query !== "")} />
      )}
      {searchedBackTo && (
        <p className="soft">
          Searched back to <WhenInUtc at={searchedBackTo} /> so far, because there are many events to read.
        </p>
      )}
      <PageLinks
        of="events"
        first={before !== undefined && { href: `/admin/audit?${query}`, words: "Newest" }}
        next={
          next !== null && {
            href: `/admin/audit?before=${next}${filtered}`,
            words: searchedBackTo ? "Search further back" : "Older",
          }
        }
      />
      <div className={styles.export}>
        <span>Export all of these events:</span>
        <a href={`/admin/audit/export?format=csv${filtered}`} download>
          CSV
        </a>
        <a href={`/admin/audit/export?format=json${filtered}`} download>
          JSON lines
        </a>
      </div>
      <SameCommand commands={[commandFor(input)]} />
    </>
  );
}

function nothing(isMore: boolean, isOlder: boolean, isFiltered: boolean): string {
  if (isMore) return "No matches so far.";
  if (isOlder) return "No older events.";
  return isFiltered ? "No events match this filter." : "No events yet.";
}

const OPTIONS = { who: "user", what: "action", which: "key", network: "network", from: "since", to: "until" } as const;

/** The command for the same events. What was typed is quoted as a shell needs it. */
function commandFor(input: FilterInput): string {
  const options = Object.entries(OPTIONS).flatMap(([field, option]) => {
    const value = input[field as keyof FilterInput];
    return value ? [`--${option} ${shellWord(value)}`] : [];
  });
  return ["audit", ...options, "--format json"].join(" ");
}
