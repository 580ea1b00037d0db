import styles from "./key-name.module.css";

/** A key's name as a link to its page, with the beginning of its id: names may be equal or missing. */
export function KeyName({ id, name }: { id: string; name: string }) {
  return (
    <div className={styles.key}>
      <a href={`/keys?key=${id}`}>
        <bdi>{name.trim() || <i>Unnamed key</i>}</bdi>
      </a>
      <code>{id.slice(0, 8)}</code>
    </div>
  );
}
