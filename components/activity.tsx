import type { Activity } from "@/lib/user-data/activity";
import { EventList } from "./event-list";
import { eventWords } from "./event-words";

/** An event with the browser of a sign-in in words. */
export type ShownActivity = Activity & { browser: string };

const BY = { operator: " by the operator", administrator: " by an administrator" };

/** What happened to an account, one sentence each. */
export function ActivityList({ events }: { events: ShownActivity[] }) {
  return (
    <EventList events={events}>
      {(event) => <span>{`${eventWords(event, "Your account")}${event.by ? BY[event.by] : ""}`}</span>}
    </EventList>
  );
}
