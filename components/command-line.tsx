import styles from "./command-line.module.css";
import { CopyButton } from "./copy-button";

/** A command to paste into a terminal, with its output. */
export function CommandLine({ command, answer }: { command: string; answer?: string }) {
  return (
    <div className={styles.terminal}>
      <pre translate="no" className={styles.text}>
        <span className={styles.prompt} aria-hidden="true">
          ${" "}
        </span>
        <code translate="no">{command}</code>
        {answer && (
          <samp translate="no" className={styles.answer}>
            {answer}
          </samp>
        )}
      </pre>
      <CopyButton text={command} label="Copy" />
    </div>
  );
}
