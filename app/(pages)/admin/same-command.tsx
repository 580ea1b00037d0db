import { CommandLine } from "@/components/controls/copy-button";
import styles from "./console.module.css";

/** A word for a shell, in quotes if it needs them. */
export function shellWord(word: string): string {
  return /^[\w.:/@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** How the admin command is called. */
export const ADMIN_CALL = "npm run --silent admin --";

/** The admin commands that do the same as what stands above them, such as `user:disable alice`. */
export function SameCommand({ command, also }: { command: string; also?: string }) {
  return (
    <details className={styles.same}>
      <summary>Do this from a terminal</summary>
      <div className={styles.commands}>
        {[command, also].map((one) => one && <CommandLine key={one} command={`${ADMIN_CALL} ${one}`} />)}
      </div>
    </details>
  );
}
