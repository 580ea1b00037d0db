"use client";

import { useEffect, useLayoutEffect } from "react";

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
export function changeScheme(): void {
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

const READY = "latchkey:ready";

/** Set at the document once one of the page's scripts could not be loaded: ./shell.tsx says so soon then. */
const FAILED = "data-script-failed";

/**
 * To React, a box is as it was, so it is set back and clicked; the next one after a moment, in which React does what
 * follows.
 */
const REPLAY = `{
  let pressed;
  const ticked = new Set();
  const mark = (element) => {
    pressed?.removeAttribute("data-pressed");
    pressed = element;
    pressed.setAttribute("data-pressed", "");
  };
  const keep = ({ target }) => {
    if (target.matches("input[type=checkbox]")) ticked.delete(target) || ticked.add(target);
    const button = target.closest("button[type=button]");
    if (button) mark(button);
  };
  const hold = (event) => {
    if (event.target.getAttribute("method") !== "post") return;
    event.preventDefault();
    mark(event.submitter ?? event.target);
  };
  const fail = ({ target }) => {
    if (target.localName === "script") document.documentElement.setAttribute("${FAILED}", "");
  };
  addEventListener("click", keep, true);
  addEventListener("submit", hold, true);
  addEventListener("error", fail, true);
  addEventListener("${READY}", async () => {
    removeEventListener("click", keep, true);
    removeEventListener("submit", hold, true);
    removeEventListener("error", fail, true);
    for (const box of ticked) {
      box.checked = !box.checked;
      box.click();
      await null;
    }
    pressed?.removeAttribute("data-pressed");
    if (pressed?.localName === "form") pressed.requestSubmit();
    else pressed?.click();
  }, { once: true });
}`;

/**
 * Remembers the last button pressed or form submitted, and the boxes ticked or unticked, before the page's script has
 * loaded, and does it again afterwards.
 */
export function EarlyPress({ nonce }: { nonce: string }) {
  useEffect(() => {
    dispatchEvent(new Event(READY));
  }, []);
  // Browsers hide a nonce from scripts, React's included.
  return (
    <script nonce={nonce} suppressHydrationWarning>
      {REPLAY}
    </script>
  );
}
