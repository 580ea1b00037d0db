/** The secret of the link with which this page was opened; empty if there is none. */
export function linkSecret(): string {
  return window.location.hash.slice(1);
}
