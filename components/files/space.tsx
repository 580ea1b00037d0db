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
/** From this share on, what is left is said, too. */
const WORTH_SAYING_LEFT = 0.9;

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
          <span>{`${seenOf(used.entries).toLocaleString("en")} of ${entriesInWords(quota.entries)}`}</span>
        ) : (
          <span>{bytesInWords(used.bytes, quota.bytes)}</span>
        )}
        {used.bytes >= WORTH_SAYING_BYTES && <span>. Files that aren't text use a third more than their size</span>}
        {kept >= WORTH_SAYING_BYTES && (
          <span>{`. Earlier versions use another ${readableBytes(kept)} for a few hours`}</span>
        )}
        {isFull && (
          <span>
            . <strong>Delete something to make room.</strong>
          </span>
        )}
      </p>
    </div>
  );
}

/** What is left is said where the two rounded sizes would hide it. */
function bytesInWords(used: number, quota: number): string {
  const [taken, all, left] = [used, quota, Math.max(0, quota - used)].map(readableBytes);
  if (taken === all && left !== "0 B") return `Nearly all of ${all} used, ${left} left`;
  return used > quota * WORTH_SAYING_LEFT ? `${taken} of ${all} used, ${left} left` : `${taken} of ${all} used`;
}
