"use client";

import { usePathname } from "next/navigation";
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { whyFailed } from "../feedback/why-failed";
import styles from "./account-menu.module.css";
import { IconChevronDown, IconGauge, IconLogout, IconUser } from "./icons";
import { signOutHere } from "./sign-out";

/**
 * The signed-in user's name, which opens the way to the account, for administrators to the console, and out. The
 * browser's own `details` opens before any script has loaded; with it, Escape and a press elsewhere close it again.
 */
export function AccountMenu({ username, isOperator }: { username: string; isOperator: boolean }) {
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
        <span className={styles.name} translate="no">
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
