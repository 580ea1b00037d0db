import { PageLinks } from "@/components/page-links";
import { Panel } from "@/components/panel";
import { When } from "@/components/when";
import { AUDIT_ACTIONS, AUDIT_GROUPS, readFilter, type TypedFilter } from "@/lib/operator/audit/filter";
import { auditPage } from "@/lib/operator/audit/page";
import type { AuditFilter } from "@/lib/operator/audit/search";
import { ApiError } from "@/lib/platform/errors";
import { idBefore } from "../../before";
import type { SearchParams } from "../../next-path";
import { consolePage, consoleTitle } from "../console-page";
import { SameCommand } from "../same-command";
import { shellWord } from "../shell-word";
import styles from "./audit.module.css";
import { AuditFilterForm } from "./audit-filter";
import { EventTable } from "./event-table";
import { NewEvents } from "./new-events";
import { typedFilter } from "./typed-filter";

export const generateMetadata = () => consoleTitle("Audit");

const A_PAGE = 50;
const GROUPS = AUDIT_GROUPS.map((group) => ({
  group,
  actions: AUDIT_ACTIONS.filter((action) => action.startsWith(`${group}.`)),
}));

export default async function AuditPage({ searchParams }: { searchParams: SearchParams }) {
  return consolePage({
    section: "Audit",
    title: "Audit",
    show: async () => {
      const query = await searchParams;
      const typed = typedFilter(query);
      const filter = await readFilter(typed).catch(refused);
      return (
        <Panel title={Object.keys(typed).length > 0 ? "Events found" : "All events, newest first"}>
          <AuditFilterForm typed={typed} refused={"error" in filter ? filter : undefined} groups={GROUPS} />
          {"error" in filter ? (
            <p className={styles.soft}>Correct the filter to see events.</p>
          ) : (
            <Events filter={filter} typed={typed} before={idBefore(query.before)} />
          )}
        </Panel>
      );
    },
  });
}

function refused(thrown: unknown): { error: string; field?: string } {
  if (!(thrown instanceof ApiError)) throw thrown;
  return { error: thrown.message, field: thrown.code === "user_not_found" ? "who" : thrown.field };
}

async function Events({ filter, typed, before }: { filter: AuditFilter; typed: TypedFilter; before?: number }) {
  const { events, newest, next, searchedBackTo } = await auditPage(filter, A_PAGE, before);
  const query = new URLSearchParams(typed).toString();
  const filtered = query === "" ? "" : `&${query}`;
  return (
    <>
      {before === undefined && !typed.to && <NewEvents query={query} after={newest} />}
      {events.length > 0 ? (
        <EventTable events={events} />
      ) : (
        <p className={styles.soft}>{nothing(next !== null, before !== undefined, query !== "")}</p>
      )}
      {searchedBackTo && (
        <p className={styles.soft}>
          Searched back to <When at={searchedBackTo} precise />, because so many events have to be read.
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
        <span>Export these events, of any number:</span>
        <a href={`/admin/audit/export?format=csv${filtered}`} download>
          CSV
        </a>
        <a href={`/admin/audit/export?format=json${filtered}`} download>
          JSON lines
        </a>
      </div>
      <SameCommand command={commandFor(typed)} />
    </>
  );
}

function nothing(isMore: boolean, isOlder: boolean, isFiltered: boolean): string {
  if (isMore) return "No event matches so far.";
  if (isOlder) return "No older events.";
  return isFiltered ? "No event matches this filter." : "Nothing has happened yet.";
}

const OPTIONS = { who: "user", what: "action", which: "key", network: "network", from: "since", to: "until" } as const;

/** The command for the same events. What was typed is quoted as a shell needs it. */
function commandFor(typed: TypedFilter): string {
  const options = Object.entries(OPTIONS).flatMap(([field, option]) => {
    const value = typed[field as keyof TypedFilter];
    return value ? [`--${option} ${shellWord(value)}`] : [];
  });
  return ["audit", ...options, "--format json"].join(" ");
}
