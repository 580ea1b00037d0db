"use client";

import { type ReactNode, useEffect, useRef } from "react";
import styles from "./page.module.css";

interface Props {
  name: string;
  /** The address of what the page is about, which reloading keeps to. */
  address?: string;
  children: ReactNode;
}

/**
 * One step of a page. All steps share the address, so when one replaces another, keyboard focus and screen readers move
 * to the new heading.
 */
export function Step({ name, address, children }: Props) {
  const step = useRef<HTMLDivElement>(null);
  const focused = useRef(name);

  useEffect(() => {
    if (focused.current === name) return;
    focused.current = name;
    const heading = step.current?.querySelector("h1");
    if (!heading || step.current?.contains(document.activeElement)) return;
    heading.tabIndex = -1;
    heading.focus();
  }, [name]);

  // From now on, reloading and refreshing the page keep to it. One turn later: see `CodeForm`.
  useEffect(() => {
    if (address === undefined) return;
    const timer = setTimeout(() => window.history.replaceState(null, "", address));
    return () => clearTimeout(timer);
  }, [address]);

  return (
    <div ref={step} className={styles.step}>
      {children}
    </div>
  );
}
