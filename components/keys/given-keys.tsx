"use client";

import { Button, Table, TableTbody, TableTd, TableTh, TableThead, TableTr } from "@mantine/core";
import { When } from "../when";
import { KeyName } from "./key-name";
import { mostDecimals, Price } from "./price";
import { SelectAll, SelectKey } from "./select-box";
import { SortHead, type Sorting } from "./sort-head";
import styles from "./table.module.css";

export interface GivenKey {
  id: string;
  name: string;
  price: string;
  creator: string;
  since: Date;
  /** How many keys of the same creator the viewer holds. */
  ofCreator: number | null;
}

interface GivenKeysProps {
  keys: GivenKey[];
  sorting: Sorting;
  /** Usernames of blocked givers. */
  blocked: string[];
  chosen: string[];
  onChoose: (ids: string[]) => void;
  onBlock: (key: GivenKey) => void;
}

/** The keys that others gave the viewer; each can be selected, and its giver blocked. */
export function GivenKeys({ keys, sorting, blocked, chosen, onChoose, onBlock }: GivenKeysProps) {
  const decimals = mostDecimals(keys);
  return (
    <Table className={styles.table} aria-label="Keys from others">
      <TableThead>
        <TableTr>
          <TableTh className={styles.action}>
            <SelectAll ids={keys.map(({ id }) => id)} chosen={chosen} onChoose={onChoose} />
          </TableTh>
          <SortHead sorting={sorting} column="name" label="Key" />
          <SortHead sorting={sorting} column="creator" label="Created by" />
          <SortHead sorting={sorting} column="price" label="Price" className={`${styles.number} ${styles.wide}`} />
          <SortHead
            sorting={sorting}
            column="since"
            label="Yours since"
            className={`${styles.number} ${styles.wide}`}
          />
        </TableTr>
      </TableThead>
      <TableTbody>
        {keys.map((key) => {
          const { id, name, price, creator, since } = key;
          return (
            <TableTr key={id} className={chosen.includes(id) ? styles.selected : undefined}>
              <TableTd className={styles.action}>
                <SelectKey id={id} name={name} chosen={chosen} onChoose={onChoose} />
              </TableTd>
              <TableTd>
                <KeyName id={id} name={name} />
              </TableTd>
              <TableTd className={styles.person}>
                {creator}{" "}
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
              </TableTd>
              <TableTd className={`${styles.number} ${styles.wide}`}>
                <Price price={price} decimals={decimals} />
              </TableTd>
              <TableTd className={`${styles.number} ${styles.wide}`}>
                <When at={since} />
              </TableTd>
            </TableTr>
          );
        })}
      </TableTbody>
    </Table>
  );
}
