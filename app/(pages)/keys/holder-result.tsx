import { Button } from "@/components/button";
import { Actions } from "@/components/panel";
import styles from "./keys.module.css";

export type HolderChange = "add" | "revoke";

export interface ShownResult {
  user: string;
  lines: { id: string; name: string; changed: boolean; error?: string }[];
}

interface HolderResultProps {
  change: HolderChange;
  result: ShownResult;
  onClose: () => void;
}

/** What became of each of several keys that a user was added to, or that were revoked from the user. */
export function HolderResult({ change, result: { user, lines }, onClose }: HolderResultProps) {
  const changed = lines.filter((line) => line.changed).length;
  const count = `${changed} of ${lines.length} ${lines.length === 1 ? "key" : "keys"}`;
  const [done, unchanged] = change === "add" ? ["Added", "Already held it"] : ["Access revoked", "Didn't hold it"];
  return (
    <>
      <p role="status">
        <strong translate="no">{user}</strong>{" "}
        <span>{change === "add" ? `was added to ${count}.` : `lost access to ${count}.`}</span>
      </p>
      <ul className={styles.names}>
        {lines.map(({ id, name, changed, error }) => (
          <li key={id}>
            <span>{name || <i>Unnamed key</i>}</span>{" "}
            <code translate="no" className={styles.soft}>
              {id.slice(0, 8)}
            </code>
            <br />
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
