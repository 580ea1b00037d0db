"use client";

import { readableBytes } from "@/components/readable-bytes";
import { type Received, SHOWN_BYTES } from "./send";
import styles from "./try.module.css";

/** A response: its status and time, the headers worth seeing, and its body or the first part of it. */
export function ReceivedResponse({ path, received }: { path: string; received: Received }) {
  const { status, isSuccess, milliseconds, headers, body, isWhole, length } = received;
  return (
    <div className={styles.received}>
      <p>
        <strong className={isSuccess ? styles.success : styles.refusal}>{status}</strong>{" "}
        <span className={styles.hint}>{`in ${milliseconds} ms`}</span>
      </p>
      <dl className={styles.headers}>
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!isWhole && (
        <p className={styles.hint}>
          These are the first <span>{readableBytes(SHOWN_BYTES)}</span>
          <span>{length !== undefined && ` of a response of ${readableBytes(length)}`}</span>. The rest was not loaded.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled by keyboard */}
      <section className={styles.body} tabIndex={0} aria-label={`Body of the response of ${path}`}>
        <pre translate="no">{body}</pre>
      </section>
    </div>
  );
}
