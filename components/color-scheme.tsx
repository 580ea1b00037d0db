"use client";

import { useLayoutEffect } from "react";
import { IconButton } from "./buttons";
import { IconMoon, IconSun } from "./icons";
import styles from "./shell.module.css";

/** Where a browser keeps the scheme that was chosen instead of the system's. */
const STORED_SCHEME = "color-scheme";

const DARK = "(prefers-color-scheme: dark)";

type Scheme = "light" | "dark";

const systemScheme = (): Scheme => (window.matchMedia(DARK).matches ? "dark" : "light");

/** Gives the document the chosen scheme, or else the system's. Browsers that store nothing have only the latter. */
function showScheme(): void {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(STORED_SCHEME);
  } catch {}
  document.documentElement.dataset.colorScheme = stored === "light" || stored === "dark" ? stored : systemScheme();
}

/** Shows the scheme, and follows the system and the other tabs. Returns what ends it. */
function followScheme(): () => void {
  const system = window.matchMedia(DARK);
  showScheme();
  system.addEventListener("change", showScheme);
  addEventListener("storage", showScheme);
  return () => {
    system.removeEventListener("change", showScheme);
    removeEventListener("storage", showScheme);
  };
}

/** Changes between light and dark. Changed back to the system's scheme, the pages follow the system again. */
function changeScheme(): void {
  const next = document.documentElement.dataset.colorScheme === "dark" ? "light" : "dark";
  document.documentElement.dataset.colorScheme = next;
  try {
    if (next === systemScheme()) localStorage.removeItem(STORED_SCHEME);
    else localStorage.setItem(STORED_SCHEME, next);
  } catch {}
}

/** Before anything is painted. The rest follows when the page's script has loaded. */
const SHOW = `{
  let stored;
  try { stored = localStorage.getItem("${STORED_SCHEME}"); } catch {}
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.colorScheme = stored === "light" || stored === "dark" ? stored : system;
}`;

/** Gives the document its colour scheme before the first paint. */
export function FirstColorScheme({ nonce }: { nonce: string }) {
  // Browsers hide a nonce from scripts, React's included.
  return (
    <script nonce={nonce} suppressHydrationWarning>
      {SHOW}
    </script>
  );
}

/** Keeps the document in the colour scheme that was chosen, or else in the system's. */
export function FollowColorScheme() {
  useLayoutEffect(followScheme, []);
  return null;
}

/** The button in the head that changes between light and dark. In the root's script: every page has it. */
export function ColorSchemeControl() {
  return (
    <IconButton size="lg" onClick={changeScheme} aria-label="Change between light and dark">
      <IconMoon size={20} stroke={1.75} className={styles.toDark} />
      <IconSun size={20} stroke={1.75} className={styles.toLight} />
    </IconButton>
  );
}
