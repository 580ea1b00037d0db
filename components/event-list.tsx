import type { ReactNode } from "react";
import styles from "./event-list.module.css";
import { RelativeTime } from "./relative-time";

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
