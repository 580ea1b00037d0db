/** Gives the focus to the row that the keyboard is at. */
export function focusCursor() {
  document.querySelector<HTMLElement>("[role=grid] tbody [tabindex='0']")?.focus();
}

/** The keyboard goes on in the list, where what it was on goes away. */
export function keepKeyboard() {
  setTimeout(() => document.activeElement === document.body && focusCursor());
}
