import { Pager } from "@/components/pager";
import { Panel } from "@/components/panel";
import type { Caller } from "@/lib/accounts/user";
import { BATCHES_A_PAGE, listClaimLinks } from "@/lib/keys/claims/list";
import type { KeyRow } from "@/lib/keys/queries";
import { ClaimLinks } from "./claim-links";
import styles from "./keys.module.css";

/** The links with which people get the key, with actions to create and end them. */
export async function ClaimsPanel({
  caller,
  row,
  sent,
}: {
  caller: Caller;
  row: KeyRow;
  sent: Record<string, string>;
}) {
  const asked = /^[1-9]\d{0,5}$/.test(sent.links ?? "") ? Number(sent.links) : 1;
  const { batches, total, page } = await listClaimLinks(caller, row, asked);
  return (
    <Panel title="Claim links">
      <div id="claims" className={styles.stack}>
        <p className={styles.soft}>
          Whoever opens a claim link can accept this key. Hand links out yourself, or let a shop send one to each buyer.
        </p>
        <ClaimLinks keyId={row.id} batches={batches} canCreate={row.creatorId === caller.id} />
        <Pager
          of="claim links"
          page={page}
          size={BATCHES_A_PAGE}
          total={total}
          hrefOf={(next) => `/keys?${new URLSearchParams({ key: row.id, links: String(next) })}#claims`}
        />
      </div>
    </Panel>
  );
}
