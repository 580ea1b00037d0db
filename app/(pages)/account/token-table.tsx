import { Button, Table, TableTbody, TableTd, TableTh, TableThead, TableTr } from "@mantine/core";
import { ACCESS_WORDS } from "@/components/access-words";
import { networkName } from "@/components/link/whereabouts";
import { When } from "@/components/when";
import type { Row } from "./token-rows";
import styles from "./token-table.module.css";

/** The programs and tokens, a row each; on a phone a card each. */
export function TokenTable({ rows, onRemove }: { rows: Row[]; onRemove: (row: Row) => void }) {
  return (
    <Table className={styles.table} aria-label="Programs and tokens">
      <TableThead>
        <TableTr>
          <TableTh>Name</TableTh>
          <TableTh>Access</TableTh>
          <TableTh>Created</TableTh>
          <TableTh>Last used</TableTh>
          <TableTh>Expires</TableTh>
          <TableTd />
        </TableTr>
      </TableThead>
      <TableTbody>
        {rows.map((row) => (
          <TableTr key={row.id} className={row.state === "ended" ? styles.ended : undefined}>
            <TableTd className={styles.name}>
              <strong>{row.name}</strong>
              {row.network && <small>from {networkName(row.network)}</small>}
              {row.state === "waiting" && <small>not collected yet</small>}
            </TableTd>
            <TableTd data-label="Access" className={styles.access}>
              {ACCESS_WORDS[row.access]}
              {row.isAccounts && <small>with your account's token</small>}
            </TableTd>
            <TableTd data-label="Created">
              <When at={row.createdAt} />
            </TableTd>
            <TableTd data-label="Last used">
              <LastUse at={row.usedAt} />
            </TableTd>
            <TableTd data-label="Expires">
              {row.state === "ended" && <span className={styles.over}>Expired </span>}
              {row.endsAt ? <When at={row.endsAt} /> : "Never"}
            </TableTd>
            <TableTd className={styles.action}>
              <Button variant="default" size="xs" aria-label={`Remove ${row.name}`} onClick={() => onRemove(row)}>
                Remove
              </Button>
            </TableTd>
          </TableTr>
        ))}
      </TableTbody>
    </Table>
  );
}

function LastUse({ at }: { at: Date | null | undefined }) {
  if (at === undefined) return <span className={styles.soft}>Not recorded</span>;
  return at ? <When at={at} /> : <span className={styles.soft}>Never</span>;
}
