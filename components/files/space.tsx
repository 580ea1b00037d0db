import { ProgressBar } from "../progress-bar";
import { readableBytes } from "../readable-bytes";
import { entriesInWords, seenOf } from "./entry-count";
import styles from "./space.module.css";

interface Amount {
  entries: number;
  bytes: number;
}

/** How much room is taken and left; of entries only where those are what runs out. */
export function Space({ used, quota }: { used: Amount; quota: Amount }) {
  const bytes = quota.bytes > 0 ? used.bytes / quota.bytes : 1;
  const entries = quota.entries > 0 ? used.entries / quota.entries : 1;
  const isFull = Math.max(bytes, entries) >= 0.95;
  return (
    <div className={styles.space}>
      <ProgressBar label="Space used" done={Math.max(bytes, entries)} state={isFull ? "full" : "running"} />
      <p>
        {entries > bytes && entries > 0.5 ? (
          <>
            {seenOf(used.entries).toLocaleString("en")} of {entriesInWords(quota.entries)}
          </>
        ) : (
          <>
            {readableBytes(used.bytes)} used, {readableBytes(Math.max(0, quota.bytes - used.bytes))} free
          </>
        )}
        {isFull && (
          <>
            . <strong>Delete something to make room.</strong>
          </>
        )}
      </p>
    </div>
  );
}
