"use client";

import { useLayoutEffect } from "react";
import { IconButton } from "../controls/button";
import { changeScheme, followScheme } from "./color-scheme";
import { IconMoon, IconSun } from "./icons";
import styles from "./shell.module.css";

/** Keeps the document in the colour scheme that was chosen, or else in the system's. */
export function FollowColorScheme() {
  useLayoutEffect(followScheme, []);
  return null;
}

/** Switches between light and dark. Switched back to the system's scheme, it follows the system again. */
export function ColorSchemeToggle() {
  return (
    <IconButton size="lg" onClick={changeScheme} aria-label="Change between light and dark">
      <IconMoon size={20} stroke={1.75} className={styles.toDark} />
      <IconSun size={20} stroke={1.75} className={styles.toLight} />
    </IconButton>
  );
}
