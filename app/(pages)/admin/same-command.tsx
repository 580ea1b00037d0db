import { CommandLine } from "@/components/command-line";
import styles from "./console.module.css";

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
