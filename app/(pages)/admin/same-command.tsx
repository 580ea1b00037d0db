import { CommandLine } from "@/components/copy-button";
import styles from "./console.module.css";

/** A word for a shell, in quotes if it needs them. */
export function shellWord(word: string): string {
  return /^[\w.:/@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** How the admin command is called. */
export const ADMIN_CALL = "./latchkey";

/** The admin commands that do the same as a page, such as `user:disable alice`. Belongs at its end, once. */
export function SameCommand({ commands }: { commands: string[] }) {
  return (
    <details className={styles.same}>
      <summary>Do this from a terminal</summary>
      <div className={styles.commands}>
        {commands.map((command) => (
          <CommandLine key={command} command={`${ADMIN_CALL} ${command}`} />
        ))}
      </div>
    </details>
  );
}
