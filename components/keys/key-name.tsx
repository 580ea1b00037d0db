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
