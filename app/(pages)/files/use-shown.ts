import { useEffect } from "react";
import type { Selection } from "./use-selection";

/** Selects the entry that the address points out, once, and brings it into view. */
export function useShown(id: string, selection: Selection): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: later selections are the person's own
  useEffect(() => {
    const row = id && document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]`);
    if (!row) return;
    selection.choose(id, "only");
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
  }, [id]);
}
