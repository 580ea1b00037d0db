"use client";

import { type DragEvent, type KeyboardEvent, type MouseEvent, useEffect, useRef } from "react";
import { IconArrowDown, IconArrowUp } from "@/components/icons";
import { When } from "@/components/time";
import { readableBytes } from "@/components/words";
import type { EntrySummary } from "@/lib/files/schema";
import type { SearchMatch } from "@/lib/files/search";
import { EntryIcon, kindOf, thumbnailOf } from "./entry-icon";
import styles from "./entry-list.module.css";
import { IconChevronRight, IconDots } from "./icons";
import type { View } from "./view";

/** A row of the list. Only a result of a search has its folder with it, and the names of the folders around it. */
export type Entry = EntrySummary & Partial<Pick<SearchMatch, "folderId" | "folders" | "isDeeper">>;

/** The actions on a row. */
interface RowHandlers {
  hrefOf: (entry: Entry) => string;
  onOpen: (entry: Entry, event: MouseEvent) => void;
  onChoose: (entry: Entry, choice: "only" | "toggle" | "extend") => void;
  onMenu: (entry: Entry, position: { x: number; y: number }) => void;
  onDragStart: (entry: Entry, event: DragEvent) => void;
  onDragOver: (entry: Entry, event: DragEvent) => void;
  onDrop: (entry: Entry, event: DragEvent) => void;
}

interface EntryListProps {
  entries: Entry[];
  chosen: string[];
  cursor: string;
  /** The folder that something is dragged over. */
  over: string | null;
  /** How the list is sorted; null for results of a search, which cannot be sorted. */
  sorted: { sort: View["sort"]; descending: boolean } | null;
  hasThumbnails: boolean;
  onSort: (sort: View["sort"], descending: boolean) => void;
  onChooseAll: (all: boolean) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  handlers: RowHandlers;
}

const COLUMNS: { sort: View["sort"]; title: string; className?: string }[] = [
  { sort: "name", title: "Name" },
  { sort: "type", title: "Kind", className: `${styles.wide} ${styles.kind}` },
  { sort: "size", title: "Size", className: `${styles.wide} ${styles.size}` },
  { sort: "edited", title: "Modified", className: `${styles.wide} ${styles.edited}` },
];

/**
 * The entries of a folder, as rows that can be selected, opened and dragged as in a desktop file manager. The rows are
 * plain elements: the server renders all of them in one turn, during which no other request is served.
 */
export function EntryList({
  entries,
  chosen,
  cursor,
  over,
  sorted,
  hasThumbnails,
  onSort,
  onChooseAll,
  onKeyDown,
  handlers,
}: EntryListProps) {
  const all = chosen.length === entries.length;
  const isChosen = new Set(chosen);
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of rows that can be chosen is a grid
    <table role="grid" aria-multiselectable="true" aria-label="Files and folders" className={styles.list}>
      <thead>
        <tr>
          <th className={styles.box}>
            <label>
              <input
                ref={(box) => {
                  if (box) box.indeterminate = !all && chosen.length > 0;
                }}
                type="checkbox"
                aria-label="Select all on this page"
                checked={all}
                onChange={() => onChooseAll(!all)}
              />
            </label>
          </th>
          {COLUMNS.map(({ sort: column, title, className }) => (
            <th
              key={column}
              className={className}
              aria-sort={column !== sorted?.sort ? "none" : sorted.descending ? "descending" : "ascending"}
            >
              <button
                type="button"
                className={styles.sort}
                disabled={!sorted}
                onClick={() => onSort(column, column === sorted?.sort && !sorted.descending)}
              >
                <span>{title}</span>
                {column === sorted?.sort &&
                  (sorted.descending ? <IconArrowDown size={14} /> : <IconArrowUp size={14} />)}
              </button>
            </th>
          ))}
          <td className={styles.moreColumn} />
        </tr>
      </thead>
      <tbody onKeyDown={onKeyDown}>
        {entries.map((entry) => (
          <Row
            key={entry.id}
            entry={entry}
            isChosen={isChosen.has(entry.id)}
            isCursor={entry.id === cursor}
            isOver={entry.id === over}
            thumbnail={hasThumbnails ? thumbnailOf(entry) : undefined}
            handlers={handlers}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  entry: Entry;
  isChosen: boolean;
  isCursor: boolean;
  isOver: boolean;
  thumbnail: string | undefined;
  handlers: RowHandlers;
}

function Row({ entry, isChosen, isCursor, isOver, thumbnail, handlers }: RowProps) {
  const row = useRef<HTMLTableRowElement>(null);
  const { id, name, type, size, edited, isFolder, children } = entry;
  const time = edited !== null && <When at={new Date(edited)} precise="minute" />;
  const amount = isFolder ? `${children.toLocaleString("en")} inside` : readableBytes(size);

  // The focus follows the cursor while it is in the list.
  useEffect(() => {
    const list = row.current?.closest("tbody");
    if (isCursor && list?.contains(document.activeElement) && !row.current?.contains(document.activeElement))
      row.current?.focus();
  }, [isCursor]);

  function click(event: MouseEvent) {
    if (isOnControl(event)) return;
    const isTouch = (event.nativeEvent as PointerEvent).pointerType === "touch";
    handlers.onChoose(entry, event.shiftKey ? "extend" : event.ctrlKey || event.metaKey || isTouch ? "toggle" : "only");
  }

  function menu(event: MouseEvent) {
    event.preventDefault();
    // The menu key has no position on the screen.
    const { left, bottom } = event.currentTarget.getBoundingClientRect();
    handlers.onMenu(entry, event.clientX > 0 ? { x: event.clientX, y: event.clientY } : { x: left + 48, y: bottom });
  }

  return (
    <tr
      ref={row}
      tabIndex={isCursor ? 0 : -1}
      aria-selected={isChosen}
      data-over={isOver || undefined}
      data-entry={id}
      draggable
      onClick={click}
      onDoubleClick={(event) => isOnControl(event) || handlers.onOpen(entry, event)}
      onContextMenu={menu}
      onDragStart={(event) => handlers.onDragStart(entry, event)}
      onDragOver={(event) => handlers.onDragOver(entry, event)}
      onDrop={(event) => handlers.onDrop(entry, event)}
    >
      <td className={styles.box}>
        <label>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label="Select"
            checked={isChosen}
            onChange={() => handlers.onChoose(entry, "toggle")}
          />
        </label>
      </td>
      <td>
        <div className={styles.name}>
          <EntryIcon type={type} isFolder={isFolder} thumbnail={thumbnail} />
          <div>
            <a
              href={handlers.hrefOf(entry)}
              tabIndex={-1}
              draggable={false}
              onClick={(event) => handlers.onOpen(entry, event)}
            >
              <bdi translate="no" title={name}>
                {name}
              </bdi>
            </a>
            {entry.folders && <Path folders={entry.folders} isDeeper={entry.isDeeper} />}
            <small>
              <span>{amount}</span>
              {time && (
                <span>
                  {" · "}
                  {time}
                </span>
              )}
            </small>
          </div>
        </div>
      </td>
      <td className={styles.wide}>{kindOf(type, isFolder)}</td>
      <td className={styles.wide}>{amount}</td>
      <td className={styles.wide}>{time}</td>
      <td className={styles.moreColumn}>
        <button
          type="button"
          className={styles.more}
          tabIndex={-1}
          aria-label="More actions"
          aria-haspopup="menu"
          onClick={menu}
        >
          <IconDots size={20} />
        </button>
      </td>
    </tr>
  );
}

/** The folders around a result of a search. */
function Path({ folders, isDeeper }: { folders: string[]; isDeeper?: boolean }) {
  const names = [isDeeper ? "…" : "All files", ...folders];
  return (
    <span className={styles.path}>
      {names.map((name, level) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a folder's level in the path is its identity
        <span key={level}>
          {level > 0 && <IconChevronRight size={12} />}
          <bdi translate="no">{name}</bdi>
        </span>
      ))}
    </span>
  );
}

function isOnControl(event: MouseEvent): boolean {
  return event.target instanceof Element && event.target.closest("a, button, input, label") !== null;
}
