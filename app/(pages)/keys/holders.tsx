import type { ReactNode } from "react";
import { DataTable } from "@/components/content/table";
import tableStyles from "@/components/content/table.module.css";
import { When } from "@/components/content/time";
import { Button } from "@/components/controls/button";
import { SteadyButton } from "@/components/controls/steady-button";
import { Actions } from "@/components/frame/panel";
import type { ChangeResult } from "@/lib/keys/many";
import { counted } from "@/lib/platform/bounds";
import styles from "./keys.module.css";

export interface Holder {
  username: string;
  since: Date;
  /** When the access ends; null if never. */
  until: Date | null;
  /** That time has come: the user holds nothing. */
  isEnded: boolean;
  isCreator: boolean;
}

interface HoldersProps {
  holders: Holder[];
  onRevoke: (username: string) => void;
  /** Asks when the access ends. Left out where nobody may change that. */
  onEnd?: (holder: Holder) => void;
  revoking: string | null;
  /** What stands after a username. */
  suffixOf: (username: string) => ReactNode;
}

/**
 * The holders of a key, and those whose access has ended, each but the creator with buttons to change the end and to
 * revoke it.
 */
export function Holders({ holders, onRevoke, onEnd, revoking, suffixOf }: HoldersProps) {
  return (
    <DataTable className={tableStyles.table} aria-label="Holders">
      <thead>
        <tr>
          <th>User</th>
          <th className={tableStyles.wide}>Since</th>
          <th>Access ends</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {holders.map((holder) => (
          <tr key={holder.username}>
            <td className={tableStyles.person}>
              <span translate="no">{holder.username}</span>
              {suffixOf(holder.username)}
            </td>
            <td className={tableStyles.wide}>
              <When at={holder.since} />
            </td>
            <td className={tableStyles.ends}>
              <End {...holder} />
            </td>
            <td className={tableStyles.action}>
              {holder.isCreator ? (
                <span className={tableStyles.soft}>Creator</span>
              ) : (
                <HolderButtons holder={holder} onRevoke={onRevoke} onEnd={onEnd} revoking={revoking} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function End({ until, isEnded }: Holder) {
  if (until === null) return <span className={tableStyles.soft}>Never</span>;
  return isEnded ? (
    <span className={tableStyles.ended}>
      Ended <When at={until} precise />
    </span>
  ) : (
    <When at={until} precise />
  );
}

function HolderButtons({
  holder,
  onRevoke,
  onEnd,
  revoking,
}: Omit<HoldersProps, "holders" | "suffixOf"> & { holder: Holder }) {
  const { username, isEnded } = holder;
  const isOther = revoking !== null && revoking !== username;
  return (
    <span className={tableStyles.buttons}>
      {onEnd && (
        <Button
          variant="default"
          size="xs"
          aria-label={isEnded ? `Extend the access of ${username}` : `Change end of access of ${username}`}
          disabled={revoking !== null}
          onClick={() => onEnd(holder)}
        >
          {isEnded ? "Extend" : "Change end"}
        </Button>
      )}
      <SteadyButton
        variant="default"
        size="xs"
        aria-label={isEnded ? `Remove ${username} from the list` : `Revoke ${username}`}
        loading={revoking === username}
        disabled={isOther}
        onClick={() => onRevoke(username)}
      >
        {isEnded ? "Remove" : "Revoke"}
      </SteadyButton>
    </span>
  );
}

export type HolderChange = "add" | "revoke";

export interface HolderChangeResult {
  user: string;
  lines: { id: string; name: string; changed: boolean; error?: string }[];
}

interface HolderResultProps {
  change: HolderChange;
  result: HolderChangeResult;
  onClose: () => void;
}

/** What became of each of several keys that a user was added to, or that were revoked from the user. */
export function HolderResult({ change, result: { user, lines }, onClose }: HolderResultProps) {
  const changed = lines.filter((line) => line.changed).length;
  const some = `${changed} of ${counted(lines.length, "key", "keys")}`;
  const [done, unchanged] = change === "add" ? ["Added", "Already held it"] : ["Access revoked", "Didn't hold it"];
  return (
    <>
      <p role="status">
        <strong translate="no">{user}</strong>{" "}
        <span>{change === "add" ? `was added to ${some}.` : `lost access to ${some}.`}</span>
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

interface NameResultsProps {
  change: HolderChange;
  results: ChangeResult[];
  onClose: () => void;
}

/** What became of each of many users: those that were refused first. */
export function NameResults({ change, results, onClose }: NameResultsProps) {
  const changed = results.filter((one) => one.changed).length;
  const some = `${changed} of ${counted(results.length, "user", "users")}`;
  const [done, unchanged] = change === "add" ? ["Added", "Already held it"] : ["Access revoked", "Didn't hold it"];
  const sorted = [...results.filter(({ error }) => error), ...results.filter(({ error }) => !error)];
  return (
    <>
      <p role="status">{change === "add" ? `${some} got access.` : `${some} lost access.`}</p>
      <ul className={styles.names}>
        {sorted.map(({ item, changed, error }) => (
          <li key={item}>
            <span translate="no">{item}</span>{" "}
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
