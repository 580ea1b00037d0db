import type { ReactNode } from "react";
import { EventList, eventWords } from "@/components/events";
import { Panel } from "@/components/page";
import { idBefore, PageLinks } from "@/components/table";
import { When } from "@/components/time";
import type { Caller } from "@/lib/accounts/identity/user";
import { countedChanges, trailOf } from "@/lib/keys/history";
import type { KeyRow } from "@/lib/keys/queries";
import type { AuditEvent } from "@/lib/platform/audit";
import styles from "./keys.module.css";

interface HistoryEvent {
  id: number;
  at: Date;
  action: string;
  actor: string | null;
  detail: Record<string, string>;
}

/** The events of a key, one sentence each. */
function History({ events }: { events: HistoryEvent[] }) {
  return (
    <EventList events={events}>
      {(event) => (
        <span>
          <Actor {...event} /> <span>{predicate(event)}</span>
        </span>
      )}
    </EventList>
  );
}

/** With the program whose token was used. */
function Actor({ actor, detail: { through } }: HistoryEvent) {
  return (
    <span>
      <span>{actor ?? "A deleted account"}</span>
      {through && (
        <span>
          , through <bdi translate="no">{through}</bdi>,
        </span>
      )}
    </span>
  );
}

function predicate({ action, actor, detail }: HistoryEvent): ReactNode {
  const { user = "", field = "", from, to } = detail;
  switch (action) {
    case "key.create":
      return "created the key";
    case "key.update":
      // A secret has no values here, and neither have events of earlier versions.
      if (from === undefined || to === undefined) return `changed its ${field === "data" ? "secret" : field}`;
      return (
        <span>
          changed its <span>{field}</span>: <Value field={field} value={from} /> → <Value field={field} value={to} />
        </span>
      );
    case "key.add":
      return (
        <span>
          added <span translate="no">{user}</span>
          <Until end={detail.until} />
        </span>
      );
    case "key.until":
      return detail.until === undefined ? (
        `removed the end date of ${user}'s access`
      ) : (
        <span>
          changed the end date of <span translate="no">{user}</span>'s access:{" "}
          {from ? <When at={new Date(from)} precise /> : <i>None</i>} → <When at={new Date(detail.until)} precise />
        </span>
      );
    case "claim.create":
      return `created ${linksOf(detail)}`;
    case "claim.end":
      return `ended ${linksOf(detail)}`;
    case "claim.use":
      return (
        <span>
          accepted the key with a claim link
          <Until end={detail.until} />
        </span>
      );
    case "key.offer":
      return `offered to hand the key over to ${user}`;
    case "key.accept":
      return `took the key over from ${from}`;
    case "key.decline":
      return "declined to take the key over";
    case "key.withdraw":
      return `withdrew the offer to ${user}`;
    case "key.revoke":
      return user === actor ? "left the key" : `revoked ${user}'s access`;
    case "key.delete":
      return "deleted the key";
    default:
      return `(${action})`;
  }
}

function linksOf({ links, note }: Record<string, string>): string {
  const count = Number(links);
  return `${count === 1 ? "a claim link" : `${count.toLocaleString("en")} claim links`}${note ? ` (${note})` : ""}`;
}

function Until({ end }: { end?: string }) {
  return end === undefined ? null : (
    <span>
      {" "}
      until <When at={new Date(end)} precise />
    </span>
  );
}

function Value({ field, value }: { field: string; value: string }) {
  if (field === "price" && value.startsWith("-")) return <i>Not for sale</i>;
  return value.trim() === "" ? (
    <i>None</i>
  ) : (
    <bdi translate="no" className={styles.value}>
      {value}
    </bdi>
  );
}

/** Events per page; one more is read to know whether there are older ones. */
export const EVENTS_A_PAGE = 20;

/** The events of the key, newest first. */
export async function HistoryPanel({
  caller,
  row,
  query,
}: {
  caller: Caller;
  row: KeyRow;
  query: Record<string, string>;
}) {
  const before = idBefore(query.before);
  const events = await trailOf(caller, row, { limit: EVENTS_A_PAGE + 1, before });
  const isNewest = before === undefined;
  const unlisted = isNewest ? await countedChanges(caller, row) : [];
  return <HistoryPage events={events} unlisted={unlisted} isNewest={isNewest} href={`/keys?key=${row.id}`} />;
}

interface HistoryPageProps {
  events: AuditEvent[];
  /** Events that say how many more there were of the creator's keys. */
  unlisted?: AuditEvent[];
  isNewest: boolean;
  /** The address of the key's page. */
  href: string;
}

/** A page of events, with links to older and to the newest ones. */
export function HistoryPage({ events, unlisted = [], isNewest, href }: HistoryPageProps) {
  const page = events.slice(0, EVENTS_A_PAGE);
  const oldest = events.length > EVENTS_A_PAGE ? page.at(-1) : undefined;
  return (
    <Panel title="Activity">
      <div id="history">
        {page.length > 0 ? <History events={page} /> : <p className="soft">There is no earlier activity.</p>}
        {unlisted.length > 0 && (
          <>
            <p>The creator changed keys so often that some changes were only counted. This key may be one of them:</p>
            <EventList events={unlisted}>
              {(event) => <span>{eventWords({ ...event, browser: "" }, "The account")}</span>}
            </EventList>
          </>
        )}
      </div>
      <PageLinks
        of="activity"
        first={!isNewest && { href: `${href}#history`, words: "Newest" }}
        next={oldest !== undefined && { href: `${href}&before=${oldest.id}#history`, words: "Older" }}
      />
    </Panel>
  );
}
