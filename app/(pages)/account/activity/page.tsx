import { ActivityList } from "@/components/events";
import { Panel } from "@/components/page";
import { idBefore, PageLinks } from "@/components/table";
import { currentUser } from "@/lib/accounts/session/current-user";
import { ACTIVITY_DAYS, activityOf } from "@/lib/user-data/activity";
import type { SearchParams } from "../../next-path";
import { signInFirst } from "../../visitor";
import styles from "../page.module.css";

export const metadata = { title: "Activity" };

const A_PAGE = 50;

export default async function ActivityPage({ searchParams }: { searchParams: SearchParams }) {
  const [user, query] = await Promise.all([currentUser(), searchParams]);
  if (!user) signInFirst("/account/activity", query);
  const start = idBefore(query.before);
  const { events, next } = await activityOf(user.id, { size: A_PAGE, before: start });
  return (
    <div className={styles.page}>
      <div>
        <h1>Activity</h1>
        <p className="soft">
          Your account's activity in the last <span>{ACTIVITY_DAYS}</span> days.{" "}
          <a href="/account">Back to your account</a>
        </p>
      </div>
      <Panel title={start === undefined ? "Latest" : "Earlier"}>
        {events.length > 0 ? (
          <ActivityList events={events} />
        ) : (
          <p className="soft">{next === null ? "No more activity." : "No activity in this period."}</p>
        )}
        <PageLinks
          of="activity"
          first={start !== undefined && { href: "/account/activity", words: "Newest" }}
          next={next !== null && { href: `/account/activity?before=${next}`, words: "Older" }}
        />
      </Panel>
    </div>
  );
}
