import type { ReactNode } from "react";
import styles from "./console.module.css";

interface OneHeadProps {
  /** The list that it is from. */
  list: { href: string; words: string };
  name: ReactNode;
  children: ReactNode;
}

/** The head of a page about one of a list: the way back, its name, and what is known of it. */
export function OneHead({ list, name, children }: OneHeadProps) {
  return (
    <div className={styles.head}>
      <a href={list.href}>{list.words}</a>
      <h2>{name}</h2>
      {children}
    </div>
  );
}
