import { useRouter } from "next/navigation";
import { type MouseEvent, useOptimistic, useTransition } from "react";
import { hrefOf, type View } from "./view";

/**
 * Goes from one view of the files to another. `place` is the folder that was opened, also while it is still on its way:
 * what is put somewhere meanwhile goes there. `onLeave` is called before.
 */
export function usePlace(view: View, folder: string, onLeave: () => void) {
  const router = useRouter();
  const [isGoing, startGoing] = useTransition();
  const [place, setPlace] = useOptimistic(folder);

  function go(change: Partial<View>, event?: MouseEvent) {
    if (isForBrowser(event)) return;
    event?.preventDefault();
    onLeave();
    const address = hrefOf({ ...view, at: "", ...change });
    startGoing(() => {
      if (change.folder !== undefined) setPlace(change.folder);
      // Going back leads past what was typed as a filter.
      if ("filter" in change && !("folder" in change)) router.replace(address);
      else router.push(address);
    });
  }

  /** Shows everything of the user anew. */
  function startAnew() {
    go({ folder: "", filter: "" });
    startGoing(() => router.refresh());
  }

  return { place, isGoing, go, startAnew };
}

/** A click that is to open another tab or window. */
export function isForBrowser(event?: MouseEvent): boolean {
  return event !== undefined && (event.ctrlKey || event.metaKey || event.shiftKey);
}
