import { SearchField } from "@/components/keys/search-field";
import { Pager } from "@/components/pager";
import { Panel } from "@/components/panel";
import type { KeyRow, Viewer } from "@/lib/keys/find";
import { HOLDERS_A_PAGE, listHolders } from "@/lib/keys/list-holders";
import { HolderForm } from "./holder-form";
import styles from "./keys.module.css";

interface HoldersPanelProps {
  viewer: Viewer;
  row: KeyRow;
  sent: Record<string, string>;
  origin: string;
}

/** Who holds the key, a page of them at a time, with the ways to add and to revoke. */
export async function HoldersPanel({ viewer, row, sent, origin }: HoldersPanelProps) {
  const search = sent.holder ?? "";
  const { holders, total, page } = await listHolders(viewer, row, { search, page: sent.page ?? "" });
  const hrefOf = (next: number) => `/keys?${new URLSearchParams({ key: row.id, ...(search && { holder: search }), page: String(next) })}#holders`;

  return (
    <Panel title="Holders">
      <div id="holders" className={styles.stack}>
        {(total > HOLDERS_A_PAGE || search !== "") && <SearchField label="Username" name="holder" typed={search} keep={{ key: row.id }} />}
        <HolderForm keyId={row.id} holders={holders} origin={origin} />
        {total === 0 && (
          <p className={styles.soft}>
            No holder matches “{search}”. <a href={`/keys?key=${row.id}`}>Show all of them</a>
          </p>
        )}
        <Pager of="holders" page={page} size={HOLDERS_A_PAGE} total={total} hrefOf={hrefOf} />
      </div>
    </Panel>
  );
}
