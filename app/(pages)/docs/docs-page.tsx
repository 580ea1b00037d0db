import type { ReactNode } from "react";
import { Contents } from "./contents";
import { hiddenEntries, indexGroups } from "./index-entries";
import { KeepLanguage } from "./keep-language";
import styles from "./page.module.css";

/** A page of the documentation, beside the index of all of it. */
export function DocsPage({ title, current, children }: { title: string; current: string; children: ReactNode }) {
  return (
    <div className={styles.docs}>
      <KeepLanguage />
      <Contents current={current} groups={indexGroups} hidden={hiddenEntries} />
      <div className={styles.page}>
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  );
}
