import type { ReactNode } from "react";
import { EventList } from "../event-list";
import { When } from "../when";
import styles from "./history.module.css";

interface HistoryEvent {
  id: number;
  at: Date;
  action: string;
  actor: string | null;
  detail: Record<string, string>;
}

/** The events of a key, one sentence each. */
export function History({ events }: { events: HistoryEvent[] }) {
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
      // Data has no values here, and neither have events of earlier versions.
      if (from === undefined || to === undefined) return `changed its ${field}`;
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
        `took the end of ${user}'s access away`
      ) : (
        <span>
          changed the end of <span translate="no">{user}</span>'s access:{" "}
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
