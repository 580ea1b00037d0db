import { Table, TableTbody, TableTd, TableTh, TableThead, TableTr } from "@mantine/core";
import { When } from "../when";
import { KeyName } from "./key-name";
import { Price } from "./price";
import styles from "./table.module.css";

interface MadeKey {
  id: string;
  name: string;
  price: string;
  since: Date;
  holders: number | null;
}

/** The keys that the viewer made. */
export function MadeKeys({ keys }: { keys: MadeKey[] }) {
  return (
    <Table className={styles.table} aria-label="Keys that you made">
      <TableThead>
        <TableTr>
          <TableTh>Key</TableTh>
          <TableTh className={styles.number}>Price</TableTh>
          <TableTh className={styles.number}>Holders</TableTh>
          <TableTh className={`${styles.number} ${styles.wide}`}>Made</TableTh>
        </TableTr>
      </TableThead>
      <TableTbody>
        {keys.map(({ id, name, price, since, holders }) => (
          <TableTr key={id}>
            <TableTd>
              <KeyName id={id} name={name} />
            </TableTd>
            <TableTd className={styles.number}>
              <Price price={price} />
            </TableTd>
            <TableTd className={styles.number}>{holders?.toLocaleString("en")}</TableTd>
            <TableTd className={`${styles.number} ${styles.wide}`}>
              <When at={since} />
            </TableTd>
          </TableTr>
        ))}
      </TableTbody>
    </Table>
  );
}
