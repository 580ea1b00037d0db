"use client";

import { ActionIcon, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";

/** Switches between light and dark. Switched back to the system's scheme, it follows the system again. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();

  function change() {
    const system = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const next = document.documentElement.dataset.mantineColorScheme === "dark" ? "light" : "dark";
    setColorScheme(next === system ? "auto" : next);
  }

  return (
    <ActionIcon variant="subtle" color="gray" size="lg" onClick={change} aria-label="Change between light and dark">
      <IconMoon size={20} stroke={1.75} className="mantine-dark-hidden" aria-hidden />
      <IconSun size={20} stroke={1.75} className="mantine-light-hidden" aria-hidden />
    </ActionIcon>
  );
}
