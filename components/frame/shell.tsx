import type { ReactNode } from "react";
import { ToastProvider } from "../feedback/toast";
import { AccountMenu } from "./account-menu";
import { ColorSchemeToggle } from "./color-scheme-control";
import { IncompleteLoad } from "./incomplete-load";
import { MainLinks, OwnAddress, type Viewer } from "./main-links";
import styles from "./shell.module.css";

interface ShellProps {
  viewer: Viewer;
  /** Whether the viewer may open the console. */
  isOperator?: boolean;
  /** The links in the head for somebody who is signed out. */
  guestLinks: ReactNode;
  children: ReactNode;
}

/** The frame of every page with its links, the viewer's menu, and toasts. */
export function Shell({ viewer, isOperator = false, guestLinks, children }: ShellProps) {
  return (
    <Frame
      links={<MainLinks viewer={viewer} guestLinks={guestLinks} />}
      account={viewer && <AccountMenu username={viewer} isOperator={isOperator} />}
    >
      <OwnAddress />
      <ToastProvider>{children}</ToastProvider>
    </Frame>
  );
}

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
          <Logo size={30} />
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
            JavaScript is missing or turned off, so the forms and buttons on these pages won't work. Programs don't need
            it: see the <a href="/docs">API reference</a>.
          </p>
        </noscript>
        <IncompleteLoad />
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

/** The latchkey: an L whose stem is a key. Drawn on its door, for use beside the name. */
function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#174f3f" />
      <g fill="none" stroke="#ecc468" strokeWidth="3" strokeLinejoin="round" strokeLinecap="round">
        <circle cx="12.5" cy="9.5" r="4" />
        <path d="M12.5 13.5V26h8v-4.5M12.5 20h4" />
      </g>
    </svg>
  );
}
