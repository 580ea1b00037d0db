"use client";

import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import { useSteady } from "@/components/steady-button";
import styles from "./menu.module.css";

/** From the place where it was opened: a second press there must not hit an item. */
const AWAY_PX = 8;

interface MenuProps {
  /** What the items are, for screen readers. */
  label: string;
  /** Where in the window its corner belongs. Near an edge of the window, or of what it is in, it moves inwards. */
  position: { x: number; y: number };
  /** Called when it is left: with Escape, Tab, a press elsewhere, or when an item was used. */
  onClose: () => void;
  children: ReactNode;
}

/** A menu that is open while it is on the page. Its first item gets the focus; arrows, Home and End move it. */
export function Menu({ label, position: { x, y }, onClose, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const { current } = menu;
    if (!current) return;
    const { width, height } = current.getBoundingClientRect();
    const { clientHeight } = document.documentElement;
    const { right = 0 } = current.parentElement?.getBoundingClientRect() ?? {};
    current.style.left = `${Math.max(0, Math.min(x, right - width))}px`;
    const below = y + AWAY_PX;
    current.style.top = `${Math.max(0, below + height > clientHeight ? y - AWAY_PX - height : below)}px`;
    current.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, [x, y]);

  useEffect(() => {
    const closeFromElsewhere = ({ target }: Event) => {
      if (!menu.current?.contains(target as Node)) onClose();
    };
    document.addEventListener("pointerdown", closeFromElsewhere);
    return () => document.removeEventListener("pointerdown", closeFromElsewhere);
  }, [onClose]);

  function move(event: KeyboardEvent) {
    const items = [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) items.at(next % items.length)?.focus();
    else if (event.key === "Escape" || event.key === "Tab") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function closeAfterUse({ target }: MouseEvent) {
    if ((target as Element).closest("[role=menuitem]")) onClose();
  }

  return (
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className={styles.menu}
      onKeyDown={move}
      onClick={closeAfterUse}
    >
      {children}
    </div>
  );
}

/** An action in a menu. */
export function MenuItem({ icon, children, ...others }: { icon: ReactNode } & ComponentProps<"button">) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} {...others} className={styles.item}>
      {icon}
      <span>{children}</span>
    </button>
  );
}

/** The same for what destroys: a press counts as that of a `SteadyButton`. */
export function SteadyMenuItem(props: ComponentProps<typeof MenuItem>) {
  return <MenuItem {...props} {...useSteady(useRef<HTMLButtonElement>(null))} />;
}

/** A link in a menu. */
export function MenuLink({ icon, children, ...others }: { icon: ReactNode } & ComponentProps<"a">) {
  return (
    <a role="menuitem" tabIndex={-1} {...others} className={styles.item}>
      {icon}
      <span>{children}</span>
    </a>
  );
}
