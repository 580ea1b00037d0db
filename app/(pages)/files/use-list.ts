import { useRouter } from "next/navigation";
import { type DragEvent, type MouseEvent, useEffect, useOptimistic, useRef, useState, useTransition } from "react";
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

/** How a click changes the selection: only this one; toggle this one; everything from the last one to this. */
type Choice = "only" | "toggle" | "extend";

/** The selected rows of a list, and the keyboard cursor. Rows that no longer exist are not selected. */
export function useSelection(ids: string[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [cursor, setCursor] = useState("");
  const [anchor, setAnchor] = useState("");
  const at = Math.max(0, ids.indexOf(cursor));

  function choose(id: string, choice: Choice) {
    setCursor(id);
    if (choice === "extend") {
      const [from, to] = [Math.max(0, ids.indexOf(anchor)), ids.indexOf(id)];
      setSelected(new Set(ids.slice(Math.min(from, to), Math.max(from, to) + 1)));
      return;
    }
    setAnchor(id);
    if (choice === "only") setSelected(new Set([id]));
    else setSelected((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  }

  return {
    chosen: ids.filter((id) => selected.has(id)),
    /** Where the keyboard is. */
    cursor: ids[at] ?? "",
    choose,
    moveTo: setCursor,
    /** The row this many further down, or the last one. */
    further: (rows: number) => ids[Math.min(ids.length - 1, Math.max(0, at + rows))] ?? "",
    /** The first row after these, or the last one before them. */
    after: (removed: string[]) =>
      ids.slice(ids.indexOf(removed.at(-1) ?? "")).find((id) => !removed.includes(id)) ??
      ids.findLast((id) => !removed.includes(id)) ??
      "",
    chooseAll: () => setSelected(new Set(ids)),
    clear: () => setSelected(new Set()),
    /** Entries that come back are not selected. */
    drop: (removed: string[]) => setSelected((before) => new Set([...before].filter((id) => !removed.includes(id)))),
  };
}

export type Selection = ReturnType<typeof useSelection>;

/** Selects the entry that the address points out, once, and brings it into view. */
export function useShown(id: string, selection: Selection): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: later selections are the user's own
  useEffect(() => {
    const row = id && document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]`);
    if (!row) return;
    selection.choose(id, "only");
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
  }, [id]);
}

/** The data type of entries dragged within the page; its value is a list of ids. */
const ENTRIES = "application/x-latchkey-entries";

interface Dropping {
  /** Entries of the page were dropped on a folder. */
  onEntries: (ids: string[], folderId: string) => void;
  /** Files from outside were dropped on a folder. */
  onFiles: (data: DataTransfer, folderId: string) => void;
}

/** Dragging entries onto folders, and files from outside into them. `over` is the current drop target. */
export function useDragging({ onEntries, onFiles }: Dropping) {
  const [over, setOver] = useState<string | null>(null);

  function kind({ dataTransfer: { types } }: DragEvent): "entries" | "files" | undefined {
    return types.includes(ENTRIES) ? "entries" : types.includes("Files") ? "files" : undefined;
  }

  /**
   * Props that make an element a drop target for a folder. The page around it accepts files only: its entries are there
   * already.
   */
  function dropProps(folderId: string, accepts: "all" | "files" = "all") {
    return {
      onDragOver(event: DragEvent) {
        const what = kind(event);
        if (what === "entries" && accepts === "files") return setOver(null);
        if (!what) return;
        event.preventDefault();
        event.stopPropagation();
        event.dataTransfer.dropEffect = what === "entries" ? "move" : "copy";
        setOver(folderId);
      },
      onDragLeave(event: DragEvent) {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(null);
      },
      onDrop(event: DragEvent) {
        const what = kind(event);
        setOver(null);
        if (!what || (what === "entries" && accepts === "files")) return;
        event.preventDefault();
        event.stopPropagation();
        if (what === "files") onFiles(event.dataTransfer, folderId);
        else onEntries(JSON.parse(event.dataTransfer.getData(ENTRIES)), folderId);
      },
      "data-over": over === folderId || undefined,
    };
  }

  function startDragging(ids: string[], event: DragEvent) {
    event.dataTransfer.setData(ENTRIES, JSON.stringify(ids));
    event.dataTransfer.effectAllowed = "move";
  }

  return { over, dropProps, startDragging };
}

export type Dragging = ReturnType<typeof useDragging>;
