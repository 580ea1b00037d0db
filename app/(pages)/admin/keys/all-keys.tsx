import { DataTable } from "@/components/data-table";
import { KeyName } from "@/components/keys/key-name";
import { mostDecimals, Price } from "@/components/keys/price";
import table from "@/components/keys/table.module.css";
import { PageLinks } from "@/components/page-links";
import { Panel } from "@/components/panel";
import { readableBytes } from "@/components/readable-bytes";
import { When } from "@/components/when";
import { FIND_BY, type FindBy, type KeysFound, listAllKeys } from "@/lib/keys/operator";
import { OfAUser } from "../../of-a-user";
import styles from "../console.module.css";
import { FindKeys } from "./find-keys";

/** Every key of the service, or those that are looked for. */
export async function AllKeys({ sent }: { sent: Record<string, string> }) {
  const by = FIND_BY.find((one) => one === sent.by) ?? "name";
  const typed = (sent.q ?? "").trim().slice(0, 100);
  const listed = await listAllKeys(by, typed, sent.after);
  return (
    <Panel title={typed === "" ? "All keys, latest first" : "Keys found"}>
      <FindKeys by={by} typed={typed} />
      {listed === null && <p className={styles.soft}>{`There is no user with the name “${typed}”.`}</p>}
      {listed?.keys.length === 0 && <p className={styles.soft}>{nothing(by, typed, sent.after !== undefined)}</p>}
      {listed && listed.keys.length > 0 && <KeyTable keys={listed.keys} />}
      <PageLinks
        of="keys"
        first={sent.after !== undefined && { href: hrefOf(by, typed), words: "First page" }}
        next={listed !== null && listed.next !== null && { href: hrefOf(by, typed, listed.next), words: "Next" }}
      />
    </Panel>
  );
}

function nothing(by: FindBy, typed: string, isLater: boolean): string {
  if (isLater) return "There are no more keys.";
  if (typed === "") return "Nobody has created a key yet.";
  if (by === "name") return `No key has a name that begins with “${typed}”.`;
  return by === "creator" ? `${typed} has created no keys.` : `${typed} holds no keys.`;
}

function hrefOf(by: FindBy, typed: string, after?: string): string {
  const query = new URLSearchParams({ ...(typed && { by, q: typed }), ...(after && { after }) });
  return query.size > 0 ? `/admin/keys?${query}` : "/admin/keys";
}

function KeyTable({ keys }: { keys: KeysFound["keys"] }) {
  const decimals = mostDecimals(keys);
  return (
    <DataTable className={table.table} aria-label="Keys">
      <thead>
        <tr>
          <th>Key</th>
          <th>Creator</th>
          <th className={table.number}>Price</th>
          <th className={`${table.number} ${table.wide}`}>Data</th>
          <th className={`${table.number} ${table.wide}`}>Created</th>
        </tr>
      </thead>
      <tbody>
        {keys.map(({ id, name, creator, price, bytes, createdAt }) => (
          <tr key={id}>
            <td>
              <KeyName id={id} name={name} page="/admin/keys" />
            </td>
            <td className={table.person}>
              <span translate="no">{creator}</span>
              <OfAUser name={creator} />
            </td>
            <td className={`${table.number} ${table.price}`}>
              <Price price={price} decimals={decimals} />
            </td>
            <td className={`${table.number} ${table.wide}`}>{readableBytes(bytes)}</td>
            <td className={`${table.number} ${table.wide}`}>
              <When at={createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
