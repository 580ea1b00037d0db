import type { ReactNode } from "react";
import { Button } from "../button";
import { DataTable } from "../data-table";
import { When } from "../when";
import styles from "./table.module.css";

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
  mark: (username: string) => ReactNode;
}

/**
 * The holders of a key, and those whose access has ended, each but the creator with buttons to change the end and to
 * revoke it.
 */
export function Holders({ holders, onRevoke, onEnd, revoking, mark }: HoldersProps) {
  return (
    <DataTable className={styles.table} aria-label="Holders">
      <thead>
        <tr>
          <th>User</th>
          <th className={styles.wide}>Since</th>
          <th>Access ends</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {holders.map((holder) => (
          <tr key={holder.username}>
            <td className={styles.person}>
              <span translate="no">{holder.username}</span>
              {mark(holder.username)}
            </td>
            <td className={styles.wide}>
              <When at={holder.since} />
            </td>
            <td className={styles.ends}>
              <End {...holder} />
            </td>
            <td className={styles.action}>
              {holder.isCreator ? (
                <span className={styles.soft}>Creator</span>
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

function End({ until, isEnded, isCreator }: Holder) {
  if (until === null) return <span className={styles.soft}>{isCreator ? "" : "Never"}</span>;
  return isEnded ? (
    <span className={styles.ended}>
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
}: Omit<HoldersProps, "holders" | "mark"> & { holder: Holder }) {
  const { username, isEnded } = holder;
  const isOther = revoking !== null && revoking !== username;
  return (
    <span className={styles.buttons}>
      {onEnd && (
        <Button
          variant="default"
          size="xs"
          aria-label={isEnded ? `Extend the access of ${username}` : `Change end for ${username}`}
          disabled={revoking !== null}
          onClick={() => onEnd(holder)}
        >
          {isEnded ? "Extend" : "Change end"}
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        aria-label={isEnded ? `Remove ${username} from the list` : `Revoke ${username}`}
        loading={revoking === username}
        disabled={isOther}
        onClick={() => onRevoke(username)}
      >
        {isEnded ? "Remove" : "Revoke"}
      </Button>
    </span>
  );
}
