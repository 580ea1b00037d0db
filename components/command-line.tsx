import styles from "./command-line.module.css";
import { CopyButton } from "./copy-button";

/** A command to paste into a terminal, with its output. */
export function CommandLine({ command, answer }: { command: string; answer?: string }) {
  return (
    <div className={styles.terminal}>
      <pre className={styles.text}>
        <span className={styles.prompt} aria-hidden="true">
          ${" "}
        </span>
        <code>{command}</code>
        {answer && <samp className={styles.answer}>{answer}</samp>}
      </pre>
      <CopyButton text={command} label="Copy" />
    </div>
  );
}
