import { History } from "@/components/keys/history";
import { Panel } from "@/components/panel";
import type { AuditEvent } from "@/lib/audit";
import type { KeyRow } from "@/lib/keys/rows";
import { trailOf } from "@/lib/keys/trail";
import type { Caller } from "@/lib/user";

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
  const events = await trailOf(caller, row, EVENTS_A_PAGE + 1, before(sent));
  return <HistoryPage keyId={row.id} events={events} isNewest={before(sent) === undefined} />;
}

/** A page of events, with links to older and to the newest ones. */
export function HistoryPage({ keyId, events, isNewest }: { keyId: string; events: AuditEvent[]; isNewest: boolean }) {
  const page = events.slice(0, EVENTS_A_PAGE);
  const oldest = page.at(-1);
  return (
    <Panel title="Activity">
      <div id="history">
        <History events={page} />
      </div>
      {!isNewest && <a href={`/keys?key=${keyId}#history`}>Newest</a>}
      {oldest && events.length > EVENTS_A_PAGE && <a href={`/keys?key=${keyId}&before=${oldest.id}#history`}>Older</a>}
    </Panel>
  );
}

/** The event before which the page ends, from the address. */
export function before(sent: Record<string, string>): number | undefined {
  return /^[1-9]\d{0,14}$/.test(sent.before ?? "") ? Number(sent.before) : undefined;
}
