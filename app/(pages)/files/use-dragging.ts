import { type DragEvent, useState } from "react";

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
   * Props that make an element a drop target for a folder. The page around it takes files only: its entries are there
   * already.
   */
  function dropProps(folderId: string, takes: "all" | "files" = "all") {
    return {
      onDragOver(event: DragEvent) {
        const what = kind(event);
        if (what === "entries" && takes === "files") return setOver(null);
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
        if (!what || (what === "entries" && takes === "files")) return;
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
