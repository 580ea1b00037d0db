import { History } from "@/components/keys/history";
import { Panel } from "@/components/panel";
import type { AuditEvent } from "@/lib/audit";
import type { KeyRow, Viewer } from "@/lib/keys/find";
import { trailOf } from "@/lib/keys/trail";

/** Events of one page; one more is asked for, to know whether there are older ones. */
export const EVENTS_A_PAGE = 20;

/** What happened to the key, newest first. */
export async function HistoryPanel({ viewer, row, sent }: { viewer: Viewer; row: KeyRow; sent: Record<string, string> }) {
  const events = await trailOf(viewer, row, EVENTS_A_PAGE + 1, before(sent));
  return <HistoryPage keyId={row.id} events={events} isNewest={before(sent) === undefined} />;
}

/** A page of events, with the ways to older and to the newest ones. */
export function HistoryPage({ keyId, events, isNewest }: { keyId: string; events: AuditEvent[]; isNewest: boolean }) {
  const page = events.slice(0, EVENTS_A_PAGE);
  const oldest = page.at(-1);
  return (
    <Panel title="What happened">
      <div id="history">
        <History events={page} />
      </div>
      {!isNewest && <a href={`/keys?key=${keyId}#history`}>Newest</a>}
      {oldest && events.length > EVENTS_A_PAGE && <a href={`/keys?key=${keyId}&before=${oldest.id}#history`}>Older</a>}
    </Panel>
  );
}

/** The event before which a page of them ends, as the address says it. */
export function before(sent: Record<string, string>): number | undefined {
  return /^[1-9]\d{0,14}$/.test(sent.before ?? "") ? Number(sent.before) : undefined;
}
