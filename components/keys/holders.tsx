import { Button, Table, TableTbody, TableTd, TableTh, TableThead, TableTr } from "@mantine/core";
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
  /** Asks when the access ends. */
  onEnd: (holder: Holder) => void;
  revoking: string | null;
}

/**
 * The holders of a key, and those whose access has ended, each but the creator with buttons to change the end and to
 * revoke it.
 */
export function Holders({ holders, onRevoke, onEnd, revoking }: HoldersProps) {
  return (
    <Table className={styles.table} aria-label="Holders">
      <TableThead>
        <TableTr>
          <TableTh>User</TableTh>
          <TableTh className={styles.wide}>Since</TableTh>
          <TableTh>Access ends</TableTh>
          <TableTd />
        </TableTr>
      </TableThead>
      <TableTbody>
        {holders.map((holder) => (
          <TableTr key={holder.username}>
            <TableTd className={styles.person}>{holder.username}</TableTd>
            <TableTd className={styles.wide}>
              <When at={holder.since} />
            </TableTd>
            <TableTd className={styles.ends}>
              <End {...holder} />
            </TableTd>
            <TableTd className={styles.action}>
              {holder.isCreator ? (
                <span className={styles.soft}>Creator</span>
              ) : (
                <HolderButtons holder={holder} onRevoke={onRevoke} onEnd={onEnd} revoking={revoking} />
              )}
            </TableTd>
          </TableTr>
        ))}
      </TableTbody>
    </Table>
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

function HolderButtons({ holder, onRevoke, onEnd, revoking }: Omit<HoldersProps, "holders"> & { holder: Holder }) {
  const { username, isEnded } = holder;
  const isOther = revoking !== null && revoking !== username;
  return (
    <span className={styles.buttons}>
      <Button
        variant="default"
        size="xs"
        aria-label={isEnded ? `Extend the access of ${username}` : `Change end for ${username}`}
        disabled={revoking !== null}
        onClick={() => onEnd(holder)}
      >
        {isEnded ? "Extend" : "Change end"}
      </Button>
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
