"use client";

import { type ReactNode, useEffect, useRef } from "react";
import styles from "./page.module.css";

/**
 * One step of linking. All steps share the address, so when one replaces another, keyboard focus and screen readers
 * move to the new heading.
 */
export function Step({ name, children }: { name: string; children: ReactNode }) {
  const step = useRef<HTMLDivElement>(null);
  const shown = useRef(name);

  useEffect(() => {
    if (shown.current === name) return;
    shown.current = name;
    const heading = step.current?.querySelector("h1");
    if (!heading || step.current?.contains(document.activeElement)) return;
    heading.tabIndex = -1;
    heading.focus();
  }, [name]);

  return (
    <div ref={step} className={styles.step}>
      {children}
    </div>
  );
}
