import type { ReactNode } from "react";
import styles from "./page.module.css";

const PAGES = [
  { href: "/docs", name: "Reference" },
  { href: "/docs/try", name: "Try it" },
  { href: "/docs/link", name: "Link a program" },
  { href: "/docs/keys", name: "Keys as entitlements" },
  { href: "/docs/files", name: "Read files" },
  { href: "/docs/clients", name: "Existing clients" },
];

/** A page of the documentation, under the ways to the others. */
export function DocsPage({ title, current, children }: { title: string; current: string; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <nav className={styles.pages} aria-label="Documentation">
        {PAGES.map(({ href, name }) => (
          <a key={href} href={href} aria-current={href === current ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <h1>{title}</h1>
      {children}
    </div>
  );
}
