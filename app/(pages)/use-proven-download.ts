import { type MouseEvent, useRef } from "react";
import { prove } from "./account/actions";
import { useAction } from "./use-action";

/**
 * For links to downloads that need a recent proof: `confirmFirst` is called when one is pressed. Its user may have to
 * confirm who they are first.
 */
export function useProvenDownload() {
  const { run, error } = useAction();
  const isAllowed = useRef(false);

  async function confirmFirst(event: MouseEvent<HTMLAnchorElement>) {
    if (isAllowed.current) return;
    event.preventDefault();
    const link = event.currentTarget;
    if (!(await run(prove))) return;
    isAllowed.current = true;
    link.click();
    isAllowed.current = false;
  }

  return { confirmFirst, error };
}
