import { Button, Table, TableTbody, TableTd, TableTh, TableThead, TableTr } from "@mantine/core";
import { When } from "../when";
import styles from "./table.module.css";

export interface Holder {
  username: string;
  since: Date;
  isCreator: boolean;
}

/** The holders of a key, each but the creator with a button to revoke it. */
export function Holders({
  holders,
  onRevoke,
  revoking,
}: {
  holders: Holder[];
  onRevoke: (username: string) => void;
  revoking: string | null;
}) {
  return (
    <Table className={styles.table} aria-label="Holders">
      <TableThead>
        <TableTr>
          <TableTh>User</TableTh>
          <TableTh>Since</TableTh>
          <TableTd />
        </TableTr>
      </TableThead>
      <TableTbody>
        {holders.map(({ username, since, isCreator }) => (
          <TableTr key={username}>
            <TableTd>{username}</TableTd>
            <TableTd>
              <When at={since} />
            </TableTd>
            <TableTd className={styles.action}>
              {isCreator ? (
                <span className={styles.soft}>Creator</span>
              ) : (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Revoke ${username}`}
                  loading={revoking === username}
                  disabled={revoking !== null && revoking !== username}
                  onClick={() => onRevoke(username)}
                >
                  Revoke
                </Button>
              )}
            </TableTd>
          </TableTr>
        ))}
      </TableTbody>
    </Table>
  );
}
