import { useRouter } from "next/navigation";
import { type MouseEvent, useEffect, useOptimistic, useRef, useTransition } from "react";
import { hrefOf, type View } from "./view";

/** Focuses the row at the keyboard cursor. */
export function focusCursor() {
  document.querySelector<HTMLElement>("[role=grid] tbody [tabindex='0']")?.focus();
}

/** Moves the focus to the list if the focused element disappears. */
export function restoreFocus() {
  setTimeout(() => document.activeElement === document.body && focusCursor());
}

/**
 * Navigates between views of the files. `openFolder` is the opened folder, even while it is still loading: new entries
 * go there. `onLeave` is called before leaving.
 */
export function useNavigation(view: View, folder: string, onLeave: () => void) {
  const router = useRouter();
  const [isGoing, startGoing] = useTransition();
  const [openFolder, setOpenFolder] = useOptimistic(folder);
  const shown = useRef(folder);

  useEffect(() => {
    if (shown.current === folder) return;
    shown.current = folder;
    // The row that opened this folder has disappeared.
    restoreFocus();
  }, [folder]);

  function go(change: Partial<View>, event?: MouseEvent) {
    if (isForBrowser(event)) return;
    event?.preventDefault();
    onLeave();
    const address = hrefOf({ ...view, at: "", show: "", ...change });
    startGoing(() => {
      if (change.folder !== undefined) setOpenFolder(change.folder);
      // Going back skips filters.
      if ("filter" in change && !("folder" in change)) router.replace(address);
      else router.push(address);
    });
  }

  /** Reloads everything from the root. */
  function startAnew() {
    go({ folder: "", filter: "", everywhere: false });
    startGoing(() => router.refresh());
  }

  return { openFolder, isGoing, go, startAnew };
}

/** A click that should open another tab or window. */
export function isForBrowser(event?: MouseEvent): boolean {
  return event !== undefined && (event.ctrlKey || event.metaKey || event.shiftKey);
}

/** Runs what belongs to a key that is pressed on the page, unless it is typed into a field or a dialog is open. */
export function usePageKeys(keys: Record<string, () => void>) {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const run = (event: KeyboardEvent) => {
      const isElsewhere = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
      const act = current.current[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey || isElsewhere) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", run);
    return () => window.removeEventListener("keydown", run);
  }, []);
}
