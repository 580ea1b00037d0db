import type { ReactNode } from "react";
import styles from "./content.module.css";

/** What is known of something, side by side. With `even`, in columns. */
export function Facts({ even = false, children }: { even?: boolean; children: ReactNode }) {
  return <dl className={even ? `${styles.facts} ${styles.even}` : styles.facts}>{children}</dl>;
}

/** One of them. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A key's name. */
export function KeyTitle({ name }: { name: string }) {
  return <bdi translate="no">{name.trim() || <i>Unnamed key</i>}</bdi>;
}

/** A key's name as a link to its page, with the beginning of its id: names may be equal or missing. */
export function KeyName({ id, name, page = "/keys" }: { id: string; name: string; page?: string }) {
  return (
    <div className={styles.key}>
      <a href={`${page}?key=${id}`}>
        <KeyTitle name={name} />
      </a>
      <Chip>{id.slice(0, 8)}</Chip>
    </div>
  );
}

/** An id or a code within a text. */
function Chip({ children }: { children: string }) {
  return (
    <code className={styles.chip} translate="no">
      {children}
    </code>
  );
}

/**
 * A price as the API, the commands and the form have it: "24", "5.5". A negative one means that the key is not for
 * sale. In a list, `decimals` is how many the longest has there (`mostDecimals`), so that all stand point below point.
 */
export function Price({ price, decimals = 0 }: { price: string; decimals?: number }) {
  if (price.startsWith("-")) return <span className="soft">Not for sale</span>;
  const own = decimalsOf(price);
  const missing = `${own === 0 && decimals > 0 ? "." : ""}${"0".repeat(Math.max(0, decimals - own))}`;
  return (
    <span translate="no" className={styles.price} data-long={price.length > 14 || undefined} data-missing={missing}>
      {price}
    </span>
  );
}

/** The number of decimals of that price in a list which has most. */
export const mostDecimals = (keys: readonly { price: string }[]) =>
  Math.max(0, ...keys.map(({ price }) => decimalsOf(price)));

const decimalsOf = (price: string) => /^\d+\.(\d+)$/.exec(price)?.[1]?.length ?? 0;
