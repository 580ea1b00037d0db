import type { ReactNode } from "react";
import { History } from "@/components/keys/history";
import { PageLinks } from "@/components/page-links";
import { Panel } from "@/components/panel";
import type { Caller } from "@/lib/accounts/user";
import type { KeyRow } from "@/lib/keys/queries";
import { trailOf } from "@/lib/keys/view";
import type { AuditEvent } from "@/lib/platform/audit";
import { idBefore } from "../before";
import styles from "./keys.module.css";

/** Events per page; one more is read to know whether there are older ones. */
export const EVENTS_A_PAGE = 20;

/** The events of the key, newest first. */
export async function HistoryPanel({
  caller,
  row,
  sent,
}: {
  caller: Caller;
  row: KeyRow;
  sent: Record<string, string>;
}) {
  const before = idBefore(sent.before);
  const events = await trailOf(caller, row, EVENTS_A_PAGE + 1, before);
  return <HistoryPage events={events} isNewest={before === undefined} href={`/keys?key=${row.id}`} />;
}

interface HistoryPageProps {
  events: AuditEvent[];
  isNewest: boolean;
  /** The address of the key's page. */
  href: string;
  footer?: ReactNode;
}

/** A page of events, with links to older and to the newest ones. */
export function HistoryPage({ events, isNewest, href, footer }: HistoryPageProps) {
  const page = events.slice(0, EVENTS_A_PAGE);
  const oldest = events.length > EVENTS_A_PAGE ? page.at(-1) : undefined;
  return (
    <Panel title="Activity">
      <div id="history">
        {page.length > 0 ? <History events={page} /> : <p className={styles.soft}>There is no earlier activity.</p>}
      </div>
      <PageLinks
        of="activity"
        first={!isNewest && { href: `${href}#history`, words: "Newest" }}
        next={oldest !== undefined && { href: `${href}&before=${oldest.id}#history`, words: "Older" }}
      />
      {footer}
    </Panel>
  );
}
