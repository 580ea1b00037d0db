import { CommandLine } from "@/components/command-line";
import styles from "./console.module.css";

/** The admin command that does the same as what stands above it, such as `user:disable alice`. */
export function SameCommand({ command }: { command: string }) {
  return (
    <details className={styles.same}>
      <summary>Do this from a terminal</summary>
      <CommandLine command={`npm run --silent admin -- ${command}`} />
    </details>
  );
}
