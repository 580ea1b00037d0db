import { useState } from "react";

/** How a choice changes what was chosen before: only this; this too, or no longer; all from the last one to this. */
export type Choice = "only" | "toggle" | "extend";

/** Which rows of a list are chosen, and which one the keyboard is at. Rows that are gone are not chosen any more. */
export function useSelection(ids: string[]) {
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const [cursor, setCursor] = useState("");
  const [anchor, setAnchor] = useState("");
  const at = Math.max(0, ids.indexOf(cursor));

  function choose(id: string, choice: Choice) {
    setCursor(id);
    if (choice === "extend") {
      const [from, to] = [Math.max(0, ids.indexOf(anchor)), ids.indexOf(id)];
      setKept(new Set(ids.slice(Math.min(from, to), Math.max(from, to) + 1)));
      return;
    }
    setAnchor(id);
    if (choice === "only") setKept(new Set([id]));
    else setKept((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  }

  return {
    chosen: ids.filter((id) => kept.has(id)),
    /** Where the keyboard is. */
    cursor: ids[at] ?? "",
    choose,
    moveTo: setCursor,
    /** The row so many further down, or the last one there is. */
    further: (rows: number) => ids[Math.min(ids.length - 1, Math.max(0, at + rows))] ?? "",
    /** The first row behind these, or the last one before them. */
    after: (gone: string[]) => ids.slice(ids.indexOf(gone.at(-1) ?? "")).find((id) => !gone.includes(id)) ?? ids.findLast((id) => !gone.includes(id)) ?? "",
    chooseAll: () => setKept(new Set(ids)),
    clear: () => setKept(new Set()),
  };
}

export type Selection = ReturnType<typeof useSelection>;
