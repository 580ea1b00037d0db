import { SearchField } from "@/components/keys/search-field";
import { Pager } from "@/components/pager";
import { Panel } from "@/components/panel";
import type { Caller } from "@/lib/accounts/user";
import { HOLDERS_A_PAGE, listHolders } from "@/lib/keys/list";
import type { KeyRow } from "@/lib/keys/queries";
import { HoldersOfOwnKey } from "./holders-of-own-key";
import styles from "./keys.module.css";
import { ManyHolders } from "./many-holders";

interface HoldersPanelProps {
  caller: Caller;
  row: KeyRow;
  sent: Record<string, string>;
  origin: string;
}

/** The holders of the key, page by page, with actions to add and revoke. */
export async function HoldersPanel({ caller, row, sent, origin }: HoldersPanelProps) {
  const search = sent.holder ?? "";
  const { holders, total, page } = await listHolders(caller, row, { search, page: sent.page ?? "" });
  const hrefOf = (next: number) =>
    `/keys?${new URLSearchParams({ key: row.id, ...(search && { holder: search }), page: String(next) })}#holders`;

  return (
    <Panel title="Holders">
      <div id="holders" className={styles.stack}>
        {(total > HOLDERS_A_PAGE || search !== "") && (
          <SearchField label="Username" name="holder" typed={search} keep={{ key: row.id }} />
        )}
        <HoldersOfOwnKey keyId={row.id} holders={holders} origin={origin} />
        <ManyHolders keyId={row.id} origin={origin} />
        {total === 0 && (
          <p className={styles.soft}>
            No matches for “<span>{search}</span>”. <a href={`/keys?key=${row.id}`}>Clear filter</a>
          </p>
        )}
        <Pager of="holders" page={page} size={HOLDERS_A_PAGE} total={total} hrefOf={hrefOf} />
      </div>
    </Panel>
  );
}
