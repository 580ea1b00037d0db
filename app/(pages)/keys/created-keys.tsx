"use client";

import { useState } from "react";
import { KeyName, mostDecimals, Price } from "@/components/content/key-name";
import { DataTable, SelectionBar, SortHead, type Sorting } from "@/components/content/table";
import styles from "@/components/content/table.module.css";
import { When } from "@/components/content/time";
import { Button } from "@/components/controls/button";
import { SelectAll, SelectKey } from "@/components/controls/checkbox";
import { ErrorNotice } from "../error-notice";
import { useProvenDownload } from "../use-proven-download";
import { HolderDialog } from "./holder-dialog";
import type { HolderChange } from "./holders";

/** The link to a list of keys as a file. The user may have to confirm who they are first. */
export function CsvLink({ href }: { href: string }) {
  const { confirmFirst, error } = useProvenDownload();
  return (
    <>
      <a href={href} download onClick={confirmFirst}>
        Download as CSV
      </a>
      <ErrorNotice error={error} />
    </>
  );
}

interface CreatedKey {
  id: string;
  name: string;
  price: string;
  since: Date;
  holders: number | null;
}

interface CreatedKeyTableProps {
  keys: CreatedKey[];
  sorting: Sorting;
  /** Ids of the selected keys. */
  chosen: string[];
  onChoose: (ids: string[]) => void;
}

/** The keys that the viewer created; each can be selected. */
function CreatedKeyTable({ keys, sorting, chosen, onChoose }: CreatedKeyTableProps) {
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
              <SelectKey id={id} chosen={chosen} onChoose={onChoose} />
            </td>
            <th scope="row">
              <KeyName id={id} name={name} />
            </th>
            <td className={styles.number}>
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

interface CreatedKeysProps {
  keys: CreatedKey[];
  sorting: Sorting;
  origin: string;
}

/** The keys that the caller created. A user can be added to several at a time, or revoked from them. */
export function CreatedKeys({ keys, sorting, origin }: CreatedKeysProps) {
  const [ticked, setTicked] = useState<string[]>([]);
  const [dialog, setDialog] = useState<HolderChange | null>(null);
  const chosen = keys.filter(({ id }) => ticked.includes(id));

  function close(isDone: boolean) {
    setDialog(null);
    if (isDone) setTicked([]);
  }

  return (
    <>
      <CreatedKeyTable keys={keys} sorting={sorting} chosen={chosen.map(({ id }) => id)} onChoose={setTicked} />
      {chosen.length > 0 && (
        <SelectionBar count={chosen.length} onClear={() => setTicked([])}>
          <Button size="sm" onClick={() => setDialog("add")}>
            Add a user
          </Button>
          <Button size="sm" variant="default" onClick={() => setDialog("revoke")}>
            Revoke a user
          </Button>
        </SelectionBar>
      )}
      {dialog && <HolderDialog change={dialog} keys={chosen} origin={origin} onClose={close} />}
    </>
  );
}
