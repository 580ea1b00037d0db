"use client";

import { IconMoon, IconSun } from "@tabler/icons-react";
import { changeScheme } from "./color-scheme";
import styles from "./color-scheme-toggle.module.css";
import { IconButton } from "./icon-button";

/** Switches between light and dark. Switched back to the system's scheme, it follows the system again. */
export function ColorSchemeToggle() {
  return (
    <IconButton size="lg" onClick={changeScheme} aria-label="Change between light and dark">
      <IconMoon size={20} stroke={1.75} className={styles.toDark} aria-hidden />
      <IconSun size={20} stroke={1.75} className={styles.toLight} aria-hidden />
    </IconButton>
  );
}
