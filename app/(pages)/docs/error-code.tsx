import { Fragment } from "react";
import styles from "./page.module.css";

/** An error code that breaks between its words, if it must. */
export function ErrorCode({ code }: { code: string }) {
  const [first, ...rest] = code.split("_");
  return (
    <code className={styles.code}>
      {first}
      {rest.map((word) => (
        <Fragment key={word}>
          _<wbr />
          {word}
        </Fragment>
      ))}
    </code>
  );
}
