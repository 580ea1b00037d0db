import { ACCESS_WORDS } from "@/components/access-words";
import { Button } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { networkName } from "@/components/link/whereabouts";
import { RelativeTime } from "@/components/relative-time";
import { When } from "@/components/when";
import type { Row } from "./token-rows";
import styles from "./token-table.module.css";

/** The programs and tokens, a row each; on a phone a card each. */
export function TokenTable({ rows, onRemove }: { rows: Row[]; onRemove: (row: Row) => void }) {
  return (
    <DataTable className={styles.table} aria-label="Programs and tokens">
      <thead>
        <tr>
          <th>Name</th>
          <th>Access</th>
          <th>Created</th>
          <th>Last used</th>
          <th>Expires</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className={row.state === "ended" ? styles.ended : undefined}>
            <td className={styles.name}>
              <strong translate="no">{row.name}</strong>
              {row.network && <small>{`from ${networkName(row.network)}`}</small>}
              {row.state === "waiting" && <small>not collected yet</small>}
            </td>
            <td data-label="Access" className={styles.access}>
              <span>{ACCESS_WORDS[row.access]}</span>
              {row.isAccounts && <small>with your account's token</small>}
            </td>
            <td data-label="Created">
              <When at={row.createdAt} />
            </td>
            <td data-label="Last used">
              <LastUse at={row.usedAt} />
            </td>
            <td data-label="Expires">
              {row.state === "ended" && <span className={styles.over}>Expired </span>}
              {row.endsAt ? <When at={row.endsAt} /> : <span>Never</span>}
            </td>
            <td className={styles.action}>
              <Button variant="default" size="xs" aria-label={`Remove ${row.name}`} onClick={() => onRemove(row)}>
                Remove
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function LastUse({ at }: { at: Date | null | undefined }) {
  if (at === undefined)
    return (
      <span className={styles.soft}>
        Unknown<small>Your account's token doesn't record which program uses it</small>
      </span>
    );
  return at ? <RelativeTime at={at} /> : <span className={styles.soft}>Never</span>;
}
