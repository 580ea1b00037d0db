"use client";

import { Button, Checkbox, Table, TableTbody, TableTd, TableTh, TableThead, TableTr } from "@mantine/core";
import { When } from "../when";
import { KeyName } from "./key-name";
import { Price } from "./price";
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
  /** Usernames of those whom the viewer blocks. */
  blocked: string[];
  chosen: string[];
  onChoose: (ids: string[]) => void;
  onBlock: (key: GivenKey) => void;
}

/** The keys that others added the viewer to, each of which can be chosen, and its maker blocked. */
export function GivenKeys({ keys, blocked, chosen, onChoose, onBlock }: GivenKeysProps) {
  const toggle = (id: string) => onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const all = chosen.length === keys.length;
  return (
    <Table className={styles.table} aria-label="Keys from others">
      <TableThead>
        <TableTr>
          <TableTh className={styles.action}>
            <Checkbox
              aria-label="Choose all on this page"
              checked={all}
              indeterminate={!all && chosen.length > 0}
              onChange={() => onChoose(all ? [] : keys.map(({ id }) => id))}
            />
          </TableTh>
          <TableTh>Key</TableTh>
          <TableTh>Made by</TableTh>
          <TableTh className={`${styles.number} ${styles.wide}`}>Price</TableTh>
          <TableTh className={`${styles.number} ${styles.wide}`}>Yours since</TableTh>
        </TableTr>
      </TableThead>
      <TableTbody>
        {keys.map((key) => {
          const { id, name, price, creator, since } = key;
          return (
            <TableTr key={id}>
              <TableTd className={styles.action}>
                <Checkbox aria-label={`Choose ${name || "unnamed key"} ${id.slice(0, 8)}`} checked={chosen.includes(id)} onChange={() => toggle(id)} />
              </TableTd>
              <TableTd>
                <KeyName id={id} name={name} />
              </TableTd>
              <TableTd className={styles.person}>
                {creator}{" "}
                {blocked.includes(creator) ? (
                  <span className={styles.soft}>(blocked)</span>
                ) : (
                  <Button size="compact-xs" variant="subtle" aria-label={`Block ${creator}`} onClick={() => onBlock(key)}>
                    Block
                  </Button>
                )}
              </TableTd>
              <TableTd className={`${styles.number} ${styles.wide}`}>
                <Price price={price} />
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
