import { MessagePage } from "@/components/message-page";
import type { Caller } from "@/lib/accounts/user";
import { trailOfDeleted } from "@/lib/keys/view";
import type { AuditEvent } from "@/lib/platform/audit";
import { ApiError } from "@/lib/platform/errors";
import { idBefore } from "../before";
import { EVENTS_A_PAGE, HistoryPage } from "./history-panel";
import styles from "./keys.module.css";

/** What remains of a deleted key, for the user who managed it; for others, that there is no such key. */
export async function DeletedKey({
  caller,
  keyId,
  sent,
}: {
  caller: Caller;
  keyId: string;
  sent: Record<string, string>;
}) {
  const before = idBefore(sent.before);
  const events = await known(caller, keyId, before);
  if (!events) {
    return (
      <MessagePage
        title="Key not found"
        text="The address may be incomplete, or the key's creator may have deleted it."
      >
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
        <p className={styles.soft}>This key has been deleted. Everyone has lost access and its data has been erased.</p>
        <code translate="no">{keyId}</code>
      </div>
      <HistoryPage events={events} isNewest={before === undefined} href={`/keys?key=${keyId}`} />
    </div>
  );
}

async function known(caller: Caller, keyId: string, olderThan: number | undefined): Promise<AuditEvent[] | null> {
  try {
    return await trailOfDeleted(caller, keyId, EVENTS_A_PAGE + 1, olderThan);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
