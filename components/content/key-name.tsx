import styles from "./key-name.module.css";

/** A key's name as a link to its page, with the beginning of its id: names may be equal or missing. */
export function KeyName({ id, name, page = "/keys" }: { id: string; name: string; page?: string }) {
  return (
    <div className={styles.key}>
      <a href={`${page}?key=${id}`}>
        <bdi translate="no">{name.trim() || <i>Unnamed key</i>}</bdi>
      </a>
      <Chip>{id.slice(0, 8)}</Chip>
    </div>
  );
}

/** An id or a code within a text. */
export function Chip({ children }: { children: string }) {
  return (
    <code className={styles.chip} translate="no">
      {children}
    </code>
  );
}

/**
 * A price for people. A negative one means that the key is not for sale. In a list, `decimals` is how many all prices
 * have there (`shownDecimals`), so that they stand point below point.
 */
export function Price({ price, decimals = shownDecimals([{ price }]) }: { price: string; decimals?: number }) {
  if (price.startsWith("-")) return <span className={styles.none}>Not for sale</span>;
  const words = isNumber(price)
    ? Number(price).toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: 6 })
    : price;
  return (
    <span translate="no" className={styles.price} data-long={words.length > 14 || undefined}>
      {words}
    </span>
  );
}

/** The number of decimals in a list of these prices: none, or at least two. */
export function shownDecimals(keys: readonly { price: string }[]): number {
  const most = Math.max(0, ...keys.map(({ price }) => /^\d+\.(\d+)$/.exec(price)?.[1]?.length ?? 0));
  return most === 0 ? 0 : Math.max(2, most);
}

/** What earlier versions stored may be none. */
const isNumber = (price: string) => /^\d+(\.\d+)?$/.test(price);
