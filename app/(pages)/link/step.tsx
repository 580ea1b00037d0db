"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { addressOf } from "./address";
import styles from "./page.module.css";

interface Props {
  name: string;
  /** What the page is about; it stays in its address. */
  ticketId?: string;
  children: ReactNode;
}

/**
 * One step of linking. All steps share the address, so when one replaces another, keyboard focus and screen readers
 * move to the new heading.
 */
export function Step({ name, ticketId, children }: Props) {
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

  // From now on, reloading and refreshing the page keep to this request. One turn later: see `CodeForm`.
  useEffect(() => {
    if (ticketId === undefined) return;
    const timer = setTimeout(() => window.history.replaceState(null, "", addressOf(ticketId)));
    return () => clearTimeout(timer);
  }, [ticketId]);

  return (
    <div ref={step} className={styles.step}>
      {children}
    </div>
  );
}
