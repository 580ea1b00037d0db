import { MessagePage } from "@/components/message-page";
import type { AuditEvent } from "@/lib/audit";
import { ApiError } from "@/lib/errors";
import type { Viewer } from "@/lib/keys/find";
import { trailOfDeleted } from "@/lib/keys/trail";
import { before, EVENTS_A_PAGE, HistoryPage } from "./history-panel";
import styles from "./keys.module.css";

/** What is left of a key that was deleted, for who managed it; for others, that there is no such key. */
export async function DeletedKey({ viewer, keyId, sent }: { viewer: Viewer; keyId: string; sent: Record<string, string> }) {
  const events = await known(viewer, keyId, before(sent));
  if (!events) {
    return (
      <MessagePage title="There is no such key" text="Perhaps its address was copied in part, or whoever made it has deleted it.">
        <a href="/keys">All keys</a>
      </MessagePage>
    );
  }
  const name = events.find(({ action }) => action === "key.delete")?.detail.name;
  return (
    <div className={styles.page}>
      <div className={styles.title}>
        <a href="/keys">All keys</a>
        <h1>{name || <i>Unnamed key</i>}</h1>
        <p className={styles.soft}>This key is deleted. Nobody holds it, and its data is gone.</p>
        <code>{keyId}</code>
      </div>
      <HistoryPage keyId={keyId} events={events} isNewest={before(sent) === undefined} />
    </div>
  );
}

async function known(viewer: Viewer, keyId: string, olderThan: number | undefined): Promise<AuditEvent[] | null> {
  try {
    return await trailOfDeleted(viewer, keyId, EVENTS_A_PAGE + 1, olderThan);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
