import { useState } from "react";

/** How a click changes the selection: only this one; toggle this one; everything from the last one to this. */
export type Choice = "only" | "toggle" | "extend";

/** The selected rows of a list, and the keyboard cursor. Rows that no longer exist are not selected. */
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
    /** The row this many further down, or the last one. */
    further: (rows: number) => ids[Math.min(ids.length - 1, Math.max(0, at + rows))] ?? "",
    /** The first row after these, or the last one before them. */
    after: (gone: string[]) =>
      ids.slice(ids.indexOf(gone.at(-1) ?? "")).find((id) => !gone.includes(id)) ??
      ids.findLast((id) => !gone.includes(id)) ??
      "",
    chooseAll: () => setKept(new Set(ids)),
    clear: () => setKept(new Set()),
    /** Entries that come back are not selected. */
    drop: (gone: string[]) => setKept((before) => new Set([...before].filter((id) => !gone.includes(id)))),
  };
}

export type Selection = ReturnType<typeof useSelection>;
