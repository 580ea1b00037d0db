import type { ReactNode } from "react";
import { auditWords } from "@/lib/platform/audit-events";
import { describeProgram } from "@/lib/platform/user-agent";
import type { Activity } from "@/lib/user-data/activity";
import styles from "./content.module.css";
import { RelativeTime } from "./time";
import { networkName } from "./words";

interface WordedEvent {
  action: string;
  /** The browser of a sign-in, in words. */
  browser: string;
  detail: Record<string, string>;
}

/** What happened, as a sentence without who did it. `account` is what the reader calls the account: "Your account". */
export function eventWords({ action, browser, detail }: WordedEvent, account: string): string {
  return auditWords(action, { detail, network: networkName(detail.network ?? ""), browser, account });
}

/** Events, each as the sentence that `children` makes of it, with its time. */
export function EventList<Event extends { id: number; at: Date }>({
  events,
  children,
}: {
  events: Event[];
  children: (event: Event) => ReactNode;
}) {
  return (
    <ol className={styles.events}>
      {events.map((event) => (
        <li key={event.id}>
          <span>{children(event)}</span>
          <RelativeTime at={event.at} precise />
        </li>
      ))}
    </ol>
  );
}

const BY = { operator: " by the operator", administrator: " by an administrator" };

/** What happened to an account, one sentence each. */
export function ActivityList({ events }: { events: Activity[] }) {
  const words = ({ by, ...event }: Activity) => {
    const browser = describeProgram(event.detail.program ?? "");
    return `${eventWords({ ...event, browser }, "Your account")}${by ? BY[by] : ""}`;
  };
  return <EventList events={events}>{(event) => <span>{words(event)}</span>}</EventList>;
}
