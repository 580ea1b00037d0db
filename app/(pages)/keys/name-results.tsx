import { Button } from "@/components/button";
import { Actions } from "@/components/panel";
import type { NameResult } from "@/lib/keys/grant";
import type { HolderChange } from "./holder-result";
import styles from "./keys.module.css";

interface NameResultsProps {
  change: HolderChange;
  results: NameResult[];
  onClose: () => void;
}

/** What became of each of many users: those that were refused first. */
export function NameResults({ change, results, onClose }: NameResultsProps) {
  const changed = results.filter((one) => one.changed).length;
  const count = `${changed} of ${results.length} ${results.length === 1 ? "user" : "users"}`;
  const [done, unchanged] = change === "add" ? ["Added", "Already held it"] : ["Access revoked", "Didn't hold it"];
  const sorted = [...results.filter(({ error }) => error), ...results.filter(({ error }) => !error)];
  return (
    <>
      <p role="status">{change === "add" ? `${count} got access.` : `${count} lost access.`}</p>
      <ul className={styles.names}>
        {sorted.map(({ user, changed, error }) => (
          <li key={user}>
            <span translate="no">{user}</span>{" "}
            <span className={error ? styles.refused : styles.soft}>{error ?? (changed ? done : unchanged)}</span>
          </li>
        ))}
      </ul>
      <Actions>
        {/* The pressed button has disappeared, and the keyboard focus with it. */}
        <Button autoFocus onClick={onClose}>
          Done
        </Button>
      </Actions>
    </>
  );
}
