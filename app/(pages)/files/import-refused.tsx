import type { ReportedImport } from "@/lib/files/errors";
import styles from "./import-refused.module.css";

/** The entries of a document that cannot be imported: the number for each reason, and each entry with its own. */
export function ImportRefused({ report }: { report: ReportedImport }) {
  const { total, taken, reasons, refused } = report;
  const left = total - taken;
  return (
    <section className={styles.refused} aria-label="What can't be imported">
      <p role="alert">
        <strong>{`${inWords(left)} of ${inWords(total)} entries cannot be imported.`}</strong> Nothing has been changed
        yet.
      </p>
      <ul className={styles.reasons}>
        {reasons.map(({ reason, words, count }) => (
          <li key={reason}>
            <span>{words}</span>: <strong>{inWords(count)}</strong>
          </li>
        ))}
      </ul>
      {/* A scrollable list must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls */}
      <ol className={styles.entries} tabIndex={0} aria-label="Entries that cannot be imported">
        {refused.map(({ entry, path, sentence }) => (
          <li key={entry}>
            <span className={styles.path}>{path || "(no name)"}</span>
            <span className={styles.why}>{sentence}</span>
          </li>
        ))}
      </ol>
      {left > refused.length && (
        <p className={styles.why}>{`And ${inWords(left - refused.length)} more, not shown.`}</p>
      )}
    </section>
  );
}

export function inWords(count: number): string {
  return count.toLocaleString("en");
}
