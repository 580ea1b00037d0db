"use client";

import { DataTable } from "../data-table";
import { SelectAll, SelectKey } from "../select-box";
import { When } from "../when";
import { KeyName } from "./key-name";
import { mostDecimals, Price } from "./price";
import { SortHead, type Sorting } from "./sort-head";
import styles from "./table.module.css";

export interface MadeKey {
  id: string;
  name: string;
  price: string;
  since: Date;
  holders: number | null;
}

interface MadeKeysProps {
  keys: MadeKey[];
  sorting: Sorting;
  /** Ids of the selected keys. */
  chosen: string[];
  onChoose: (ids: string[]) => void;
}

/** The keys that the viewer created; each can be selected. */
export function MadeKeys({ keys, sorting, chosen, onChoose }: MadeKeysProps) {
  const decimals = mostDecimals(keys);
  return (
    <DataTable className={styles.table} aria-label="Keys you created">
      <thead>
        <tr>
          <th className={styles.action}>
            <SelectAll ids={keys.map(({ id }) => id)} chosen={chosen} onChoose={onChoose} />
          </th>
          <SortHead sorting={sorting} column="name" label="Key" />
          <SortHead sorting={sorting} column="price" label="Price" className={styles.number} />
          <SortHead sorting={sorting} column="holders" label="Holders" className={styles.number} />
          <SortHead sorting={sorting} column="since" label="Created" className={`${styles.number} ${styles.wide}`} />
        </tr>
      </thead>
      <tbody>
        {keys.map(({ id, name, price, since, holders }) => (
          <tr key={id} className={chosen.includes(id) ? styles.selected : undefined}>
            <td className={styles.action}>
              <SelectKey id={id} name={name} chosen={chosen} onChoose={onChoose} />
            </td>
            <td>
              <KeyName id={id} name={name} />
            </td>
            <td className={`${styles.number} ${styles.price}`}>
              <Price price={price} decimals={decimals} />
            </td>
            <td className={styles.number}>{holders?.toLocaleString("en")}</td>
            <td className={`${styles.number} ${styles.wide}`}>
              <When at={since} />
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
