"use client";

import type { ReactNode } from "react";
import { KeyName, maxDecimals, Price } from "@/components/content/key-name";
import { DataTable, SortHead, type Sorting } from "@/components/content/table";
import styles from "@/components/content/table.module.css";
import { When } from "@/components/content/time";
import { Button } from "@/components/controls/button";
import { SelectAll, SelectKey } from "@/components/controls/checkbox";

export interface ReceivedKey {
  id: string;
  name: string;
  price: string;
  creator: string;
  since: Date;
  /** How many keys of the same creator the viewer holds. */
  ofCreator: number | null;
}

interface ReceivedKeysProps {
  keys: ReceivedKey[];
  sorting: Sorting;
  /** Usernames of blocked givers. */
  blocked: string[];
  chosen: string[];
  onChoose: (ids: string[]) => void;
  onBlock: (key: ReceivedKey) => void;
  /** What stands after a username. */
  suffixOf: (username: string) => ReactNode;
}

/** The keys that others gave the viewer; each can be selected, and its giver blocked. */
export function ReceivedKeys({ keys, sorting, blocked, chosen, onChoose, onBlock, suffixOf }: ReceivedKeysProps) {
  const decimals = maxDecimals(keys);
  return (
    <DataTable className={styles.table} aria-label="Keys from others">
      <thead>
        <tr>
          <th className={styles.action}>
            <SelectAll ids={keys.map(({ id }) => id)} chosen={chosen} onChoose={onChoose} />
          </th>
          <SortHead sorting={sorting} column="name" label="Key" />
          <SortHead sorting={sorting} column="creator" label="Created by" />
          <SortHead sorting={sorting} column="price" label="Price" className={`${styles.number} ${styles.wide}`} />
          <SortHead
            sorting={sorting}
            column="since"
            label="Yours since"
            className={`${styles.number} ${styles.wide}`}
          />
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => {
          const { id, name, price, creator, since } = key;
          return (
            <tr key={id} className={chosen.includes(id) ? styles.selected : undefined}>
              <td className={styles.action}>
                <SelectKey id={id} name={name} chosen={chosen} onChoose={onChoose} />
              </td>
              <td>
                <KeyName id={id} name={name} />
              </td>
              <td className={styles.person}>
                <span translate="no">{creator}</span>
                {suffixOf(creator)}{" "}
                {blocked.includes(creator) ? (
                  <span className={styles.soft}>(blocked)</span>
                ) : (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={`Block ${creator}`}
                    onClick={() => onBlock(key)}
                  >
                    Block
                  </Button>
                )}
              </td>
              <td className={`${styles.number} ${styles.wide}`}>
                <Price price={price} decimals={decimals} />
              </td>
              <td className={`${styles.number} ${styles.wide}`}>
                <When at={since} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </DataTable>
  );
}
