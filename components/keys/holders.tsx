import { Button } from "../button";
import { DataTable } from "../data-table";
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
    <DataTable className={styles.table} aria-label="Holders">
      <thead>
        <tr>
          <th>User</th>
          <th>Since</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {holders.map(({ username, since, isCreator }) => (
          <tr key={username}>
            <td>{username}</td>
            <td>
              <When at={since} />
            </td>
            <td className={styles.action}>
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
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
