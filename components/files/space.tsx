import { ProgressBar } from "../progress-bar";
import { readableBytes } from "../readable-bytes";
import { entriesInWords, seenOf } from "./entry-count";
import styles from "./space.module.css";

interface Amount {
  entries: number;
  bytes: number;
}

/** From this size on, former contents are mentioned, and why more is used than a list's sizes add up to. */
const WORTH_SAYING_BYTES = 1_000_000;

/**
 * How much space is used and left; entries are shown only if they are the scarce part. `kept`: bytes of former
 * contents.
 */
export function Space({ used, quota, kept }: { used: Amount; quota: Amount; kept: number }) {
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
        {used.bytes >= WORTH_SAYING_BYTES && <>. Files that aren't text use a third more than their size</>}
        {kept >= WORTH_SAYING_BYTES && <>. Earlier versions use another {readableBytes(kept)} for a few hours</>}
        {isFull && (
          <>
            . <strong>Delete something to make room.</strong>
          </>
        )}
      </p>
    </div>
  );
}
