import { useSyncExternalStore } from "react";

const shown = () => document.documentElement.dataset.colorScheme ?? "light";

function follow(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-color-scheme"] });
  return () => observer.disconnect();
}

/** The colour scheme that the document has now, for what is drawn by a script. */
export function useColorScheme(): string {
  return useSyncExternalStore(follow, shown, () => "light");
}
