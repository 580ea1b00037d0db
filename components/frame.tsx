import type { ReactNode } from "react";
import { ColorSchemeToggle } from "./color-scheme-control";
import { Mark } from "./mark";
import styles from "./shell.module.css";

interface FrameProps {
  /** The links in the head. */
  links?: ReactNode;
  /** What the head has for a signed-in user. */
  account?: ReactNode;
  children: ReactNode;
}

/** The skip link, the head and the foot around every page, the one of an error too, which knows nobody. */
export function Frame({ links, account, children }: FrameProps) {
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <header className={styles.head}>
        <a href="/" className={styles.name}>
          <Mark size={30} />
          <span>Latchkey</span>
        </a>
        <nav className={styles.links} aria-label="Main">
          {links}
        </nav>
        <ColorSchemeToggle />
        {account}
      </header>
      <main id="content" tabIndex={-1} className={styles.content}>
        <noscript>
          <p className={styles.noscript}>
            JavaScript is turned off, so the forms and buttons on these pages won't work. Programs don't need it: see{" "}
            the <a href="/docs">API reference</a>.
          </p>
        </noscript>
        {children}
      </main>
      <footer className={styles.foot}>
        <p>
          No trackers, no third-party requests. For developers: <a href="/docs">documentation</a>.
        </p>
      </footer>
    </div>
  );
}
