/** Focuses the row at the keyboard cursor. */
export function focusCursor() {
  document.querySelector<HTMLElement>("[role=grid] tbody [tabindex='0']")?.focus();
}

/** Moves the focus to the list if the focused element disappears. */
export function keepKeyboard() {
  setTimeout(() => document.activeElement === document.body && focusCursor());
}
