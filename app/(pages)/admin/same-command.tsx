import { CommandLine } from "@/components/command-line";
import styles from "./console.module.css";

/** How the admin command is called. */
export const ADMIN_CALL = "npm run --silent admin --";

/** The admin command that does the same as what stands above it, such as `user:disable alice`. */
export function SameCommand({ command }: { command: string }) {
  return (
    <details className={styles.same}>
      <summary>Do this from a terminal</summary>
      <CommandLine command={`${ADMIN_CALL} ${command}`} />
    </details>
  );
}
