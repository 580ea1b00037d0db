import { CommandLine } from "@/components/command-line";
import { LANGUAGES, type Samples } from "@/lib/api/samples";
import styles from "./samples.module.css";

/** A command in the language that the samples of the page are shown in; without a script, in all three. */
export function CommandTabs({ commands }: { commands: Samples }) {
  return (
    <div className={styles.commands}>
      {LANGUAGES.map(({ id }) => (
        <div key={id} className={`${styles.command} ${styles[id]}`}>
          <CommandLine command={commands[id]} />
        </div>
      ))}
    </div>
  );
}
