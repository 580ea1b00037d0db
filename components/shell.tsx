"use client";

import { usePathname } from "next/navigation";
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { signOutHere } from "./auth";
import { IncompleteLoad } from "./before-load";
import { ColorSchemeControl } from "./color-scheme";
import { otherAddress, whyFailed } from "./failures";
import { Notice } from "./feedback";
import { IconChevronDown, IconGauge, IconLogout, IconUser } from "./icons";
import styles from "./shell.module.css";
import { ToastProvider } from "./toast";

/** The name of the signed-in user, null for nobody, undefined if unknown (an error page). */
type Viewer = string | null | undefined;

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
          <Logo />
          <span>Latchkey</span>
        </a>
        <nav className={styles.links} aria-label="Main">
          {links}
        </nav>
        <ColorSchemeControl />
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
function Logo() {
  return (
    <svg width={30} height={30} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#174f3f" />
      <g fill="none" stroke="#ecc468" strokeWidth="3" strokeLinejoin="round" strokeLinecap="round">
        <circle cx="12.5" cy="9.5" r="4" />
        <path d="M12.5 13.5V26h8v-4.5M12.5 20h4" />
      </g>
    </svg>
  );
}

/** The links in the head for a signed-in person, beside the menu of the account. */
const PAGES = [
  { href: "/link", name: "Link", label: "Link a program" },
  { href: "/keys", name: "Keys", label: "Keys" },
  { href: "/files", name: "Files", label: "Files" },
  { href: "/docs", name: "Docs", label: "Docs" },
];

/** The links in the head of every page, with a mark on the one that is open. `guestLinks`: the ways in. */
function MainLinks({ viewer, guestLinks }: { viewer: Viewer; guestLinks: ReactNode }) {
  const path = usePathname();
  if (viewer === undefined) return null;
  const here = (href: string) => (path === href ? "page" : path.startsWith(`${href}/`) || undefined);
  if (viewer === null) {
    return (
      <>
        <a href="/link" aria-label="Link a program" aria-current={here("/link")}>
          Link
        </a>
        <a href="/docs" aria-current={here("/docs")}>
          Docs
        </a>
        {guestLinks}
      </>
    );
  }
  return PAGES.map(({ href, name, label }) => (
    <a key={href} href={href} aria-label={label} aria-current={here(href)}>
      {name}
    </a>
  ));
}

/**
 * Says so if the page was opened under another address than the service's own (contract, section 5: address): browsers
 * do not keep its cookies there, or do not send them. Of this address only the path goes on: the rest may be a secret.
 */
function OwnAddress() {
  const path = usePathname();
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => setAddress(otherAddress()), []);
  return (
    <div className={styles.elsewhere}>
      <Notice kind="error">
        {address && (
          <span>
            Some things don't work at this address, like signing in.{" "}
            <a href={`${address}${path}`}>{`Open this service at ${address}`}</a>
          </span>
        )}
      </Notice>
    </div>
  );
}

/**
 * The signed-in user's name, which opens the way to the account, for administrators to the console, and out. The
 * browser's own `details` opens before any script has loaded; with it, Escape and a press elsewhere close it again.
 */
function AccountMenu({ username, isOperator }: { username: string; isOperator: boolean }) {
  const path = usePathname();
  const here = path === "/account";
  const isInConsole = path === "/admin" || path.startsWith("/admin/");
  const menu = useRef<HTMLDetailsElement>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState("");

  useEffect(() => {
    const closeFromElsewhere = ({ target }: PointerEvent) => {
      if (menu.current && !menu.current.contains(target as Node)) menu.current.open = false;
    };
    document.addEventListener("pointerdown", closeFromElsewhere);
    return () => document.removeEventListener("pointerdown", closeFromElsewhere);
  }, []);

  function closeWithEscape({ key }: KeyboardEvent) {
    if (key !== "Escape" || !menu.current?.open) return;
    menu.current.open = false;
    menu.current.querySelector("summary")?.focus();
  }

  function closeWhenLeft({ relatedTarget }: FocusEvent) {
    if (menu.current && relatedTarget && !menu.current.contains(relatedTarget)) menu.current.open = false;
  }

  async function leave() {
    setBusy(true);
    setFailed("");
    try {
      if (!(await signOutHere())) setBusy(false);
    } catch (thrown) {
      setFailed(`Sign-out failed. ${await whyFailed(thrown)}`);
      setBusy(false);
    }
  }

  return (
    <details ref={menu} className={styles.menu} onKeyDown={closeWithEscape} onBlur={closeWhenLeft}>
      <summary
        className={styles.trigger}
        aria-label={`Account menu of ${username}`}
        data-here={here || isInConsole || undefined}
      >
        <span className={styles.avatar} data-initial={username.slice(0, 1).toUpperCase()} />
        <span className={styles.username} translate="no">
          {username}
        </span>
        <IconChevronDown size={16} stroke={2} />
      </summary>
      <div className={styles.panel}>
        <p className={styles.whose}>
          Signed in as <strong translate="no">{username}</strong>
        </p>
        <a href="/account" aria-current={here ? "page" : undefined}>
          <IconUser size={18} stroke={1.75} />
          Account
        </a>
        {isOperator && (
          <a href="/admin" aria-current={isInConsole ? "page" : undefined}>
            <IconGauge size={18} stroke={1.75} />
            Console
          </a>
        )}
        <button type="button" onClick={leave} disabled={busy}>
          <IconLogout size={18} stroke={1.75} />
          Sign out
        </button>
        <p role="alert" className={styles.failed}>
          {failed}
        </p>
      </div>
    </details>
  );
}
