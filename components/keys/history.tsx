import { When } from "../when";
import styles from "./history.module.css";

interface HistoryEvent {
  id: number;
  at: Date;
  action: string;
  actor: string | null;
  detail: Record<string, string>;
}

/** What happened to a key, one sentence an event. */
export function History({ events }: { events: HistoryEvent[] }) {
  return (
    <ol className={styles.history}>
      {events.map((event) => (
        <li key={event.id}>
          <span>{sentence(event)}</span>
          <When at={event.at} precise />
        </li>
      ))}
    </ol>
  );
}

function sentence({ action, actor, detail }: HistoryEvent): string {
  const who = actor ?? "An account that is gone";
  const { user = "", field = "" } = detail;
  switch (action) {
    case "key.create":
      return `${who} made the key`;
    case "key.update":
      return `${who} changed its ${field}`;
    case "key.add":
      return `${who} added ${user}`;
    case "key.revoke":
      return user === actor ? `${who} left` : `${who} revoked ${user}`;
    case "key.delete":
      return `${who} deleted the key`;
    default:
      return `${who}: ${action}`;
  }
}
