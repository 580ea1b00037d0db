import styles from "./key-name.module.css";

/** A key's name as a link to its page, with the beginning of its id: names may be equal or missing. */
export function KeyName({ id, name, page = "/keys" }: { id: string; name: string; page?: string }) {
  return (
    <div className={styles.key}>
      <a href={`${page}?key=${id}`}>
        <bdi translate="no">{name.trim() || <i>Unnamed key</i>}</bdi>
      </a>
      <code translate="no">{id.slice(0, 8)}</code>
    </div>
  );
}

/**
 * A price for people. A negative one means that the key is not for sale. In a list, `decimals` is how many the longest
 * price has there, so that all stand point below point.
 */
export function Price({ price, decimals = 0 }: { price: string; decimals?: number }) {
  if (price.startsWith("-")) return <span className={styles.none}>Not for sale</span>;
  const own = decimalsOf(price);
  const missing = `${own === 0 && decimals > 0 ? "." : ""}${"0".repeat(Math.max(0, decimals - own))}`;
  // Invisible and not text: nobody reads, selects or copies it.
  return (
    <span className={styles.price} data-missing={missing || undefined}>
      {price}
    </span>
  );
}

/** The number of decimals of the price in this list that has most. */
export function maxDecimals(keys: readonly { price: string }[]): number {
  return Math.max(0, ...keys.map(({ price }) => (price.startsWith("-") ? 0 : decimalsOf(price))));
}

const decimalsOf = (price: string) => /^\d+\.(\d+)$/.exec(price)?.[1]?.length ?? 0;
