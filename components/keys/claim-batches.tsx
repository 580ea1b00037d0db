import type { Batch } from "@/lib/keys/claims/list";
import { Button } from "../button";
import { DataTable } from "../data-table";
import { When } from "../when";
import styles from "./table.module.css";

/** The claim links of a key, a row for those that were created together, each with a button to end them. */
export function ClaimBatches({ batches, onEnd }: { batches: Batch[]; onEnd: (batch: Batch) => void }) {
  return (
    <DataTable className={styles.table} aria-label="Claim links">
      <thead>
        <tr>
          <th>Links</th>
          <th className={styles.person}>Claimed</th>
          <th className={styles.wide}>Usable until</th>
          <td />
        </tr>
      </thead>
      <TableBody batches={batches} onEnd={onEnd} />
    </DataTable>
  );
}

function TableBody({ batches, onEnd }: { batches: Batch[]; onEnd: (batch: Batch) => void }) {
  return (
    <tbody>
      {batches.map((batch) => (
        <tr key={batch.id}>
          <td>
            {batch.note && (
              <>
                <bdi translate="no">{batch.note}</bdi>
                <br />
              </>
            )}
            <span className={styles.soft}>
              <span>{count(batch.links, "link")}</span>
              <span>{batch.most > 1 && `, each for ${batch.most.toLocaleString("en")} people`}</span>,{" "}
              <span>{batch.days === null ? "access without an end" : `access for ${count(batch.days, "day")}`}</span>
            </span>
          </td>
          <td className={styles.claimed}>
            <span>{batch.claimed.toLocaleString("en")}</span> of{" "}
            <span>{(batch.links * batch.most).toLocaleString("en")}</span>
            <Claimers {...batch} />
          </td>
          <td className={styles.wide}>
            <When at={batch.expiresAt} />
          </td>
          <td className={styles.action}>
            {batch.isOver ? (
              <span className={styles.soft}>{batch.claimed >= batch.links * batch.most ? "Used up" : "Ended"}</span>
            ) : (
              <Button
                variant="default"
                size="xs"
                aria-label={`End ${batch.note || count(batch.links, "link")}`}
                onClick={() => onEnd(batch)}
              >
                End
              </Button>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  );
}

/** Those who claimed last; the activity of the key has all of them. */
function Claimers({ claims, claimed, links }: Batch) {
  const others = claimed - claims.length;
  if (claims.length === 0) return null;
  return (
    <span className={styles.claimers}>
      {claims.map(({ username, number }, n) => (
        <span key={`${username} ${number}`}>
          {`${n > 0 ? ", " : ""}${username}${links > 1 ? ` (link ${number})` : ""}`}
        </span>
      ))}
      {others > 0 && <span>{` and ${others.toLocaleString("en")} more`}</span>}
    </span>
  );
}

function count(number: number, one: string): string {
  return `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;
}
