import { CommandLine } from "../command-line";
import styles from "./as-command.module.css";

/** What a program would ask to do the same. The token is never in it: the person puts it in. */
export function AsCommand({ command }: { command: string }) {
  return (
    <details className={styles.command}>
      <summary>As a command</summary>
      <CommandLine command={command} />
    </details>
  );
}
