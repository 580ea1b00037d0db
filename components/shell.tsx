import type { ReactNode } from "react";
import { AccountMenu } from "./account-menu";
import { ColorSchemeToggle } from "./color-scheme-toggle";
import { MainLinks, type Viewer } from "./main-links";
import { Mark } from "./mark";
import styles from "./shell.module.css";
import { ToastProvider } from "./toast";

interface ShellProps {
  viewer?: Viewer;
  /** Whether the viewer may open the console. */
  isOperator?: boolean;
  signUpOpen?: boolean;
  children: ReactNode;
}

/** The frame of every page: the skip link, the head with its links, and the foot. */
export function Shell({ viewer, isOperator = false, signUpOpen = false, children }: ShellProps) {
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
          <MainLinks viewer={viewer} signUpOpen={signUpOpen} />
        </nav>
        <ColorSchemeToggle />
        {viewer && <AccountMenu username={viewer} isOperator={isOperator} />}
      </header>
      <main id="content" tabIndex={-1} className={styles.content}>
        <noscript>
          <p className={styles.noscript}>
            JavaScript is turned off, so the forms and buttons on these pages won't work. Programs don't need it: see{" "}
            the <a href="/docs">API reference</a>.
          </p>
        </noscript>
        <ToastProvider>{children}</ToastProvider>
      </main>
      <footer className={styles.foot}>
        <p>
          No trackers, no third-party requests. For developers: <a href="/docs">documentation</a>.
        </p>
      </footer>
    </div>
  );
}
