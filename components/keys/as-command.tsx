import { CommandLine } from "../command-line";
import styles from "./as-command.module.css";

/** What a program would ask to do the same. The token is never in it: the person puts it in. */
export function AsCommand({ command, label = "As a command" }: { command: string; label?: string }) {
  return (
    <details className={styles.command}>
      <summary>{label}</summary>
      <p>
        Put <a href="/account">your token</a> where <code>TOKEN</code> stands.
      </p>
      <CommandLine command={command} />
    </details>
  );
}
