"use client";

import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from "react";
import { IconArrowDown, IconArrowUp } from "@/components/icons";
import { When } from "@/components/time";
import { readableBytes } from "@/components/words";
import type { EntrySummary } from "@/lib/files/schema";
import type { Search, SearchMatch } from "@/lib/files/search";
import styles from "./entry-list.module.css";
import { EntryIcon, IconChevronRight, IconDots, kindOf, thumbnailOf } from "./icons";
import type { Dragging, Selection } from "./use-list";
import { hrefOf, inFolder, type View } from "./view";

/** A row of the list. Only a result of a search has its folder with it, and the names of the folders around it. */
export type Entry = EntrySummary & Partial<Pick<SearchMatch, "folderId" | "folders" | "isDeeper">>;

export interface EntryListProps {
  entries: Entry[];
  /** The entries are the results of this search in all folders, and cannot be sorted. */
  search: Search | null;
  view: View;
  /** Pictures are shown small. */
  hasThumbnails: boolean;
  selection: Selection;
  /** The selected rows, or those that the open menu is about. */
  highlighted: string[];
  dragging: Dragging;
  onOpen: (entry: Entry, event?: MouseEvent) => void;
  onGo: (change: Partial<View>) => void;
  onMenu: (entry: Entry, position: { x: number; y: number }) => void;
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
export function EntryList({ onKeyDown, ...list }: EntryListProps & { onKeyDown: (event: KeyboardEvent) => void }) {
  const { entries, search, view, selection, highlighted, onGo } = list;
  const sorted = search ? null : view;
  const all = highlighted.length === entries.length;
  const isChosen = new Set(highlighted);
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of rows that can be chosen is a grid
    <table role="grid" aria-multiselectable="true" aria-label="Files and folders" className={styles.list}>
      <thead>
        <tr>
          <th className={styles.box}>
            <label>
              <input
                ref={(box) => {
                  if (box) box.indeterminate = !all && highlighted.length > 0;
                }}
                type="checkbox"
                aria-label="Select all on this page"
                checked={all}
                onChange={all ? selection.clear : selection.chooseAll}
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
                onClick={() => onGo({ sort: column, descending: column === sorted?.sort && !sorted.descending })}
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
          <Row key={entry.id} entry={entry} isChosen={isChosen.has(entry.id)} list={list} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  entry: Entry;
  isChosen: boolean;
  list: EntryListProps;
}

function Row({ entry, isChosen, list }: RowProps) {
  const { view, hasThumbnails, selection, dragging, onOpen, onMenu } = list;
  const row = useRef<HTMLTableRowElement>(null);
  const { id, name, type, size, edited, isFolder, children } = entry;
  const isCursor = id === selection.cursor;
  const drop = isFolder ? dragging.dropProps(id) : undefined;
  const time = edited !== null && <When at={new Date(edited)} precise="minute" />;
  const amount = isFolder ? `${children.toLocaleString("en")} inside` : readableBytes(size);

  // The focus follows the cursor while it is in the list.
  useEffect(() => {
    const rows = row.current?.closest("tbody");
    if (isCursor && rows?.contains(document.activeElement) && !row.current?.contains(document.activeElement))
      row.current?.focus();
  }, [isCursor]);

  function click(event: MouseEvent) {
    if (isOnControl(event)) return;
    const isTouch = (event.nativeEvent as PointerEvent).pointerType === "touch";
    selection.choose(id, event.shiftKey ? "extend" : event.ctrlKey || event.metaKey || isTouch ? "toggle" : "only");
  }

  function menu(event: MouseEvent) {
    event.preventDefault();
    // The menu key has no position on the screen.
    const { left, bottom } = event.currentTarget.getBoundingClientRect();
    onMenu(entry, event.clientX > 0 ? { x: event.clientX, y: event.clientY } : { x: left + 48, y: bottom });
  }

  return (
    <tr
      ref={row}
      tabIndex={isCursor ? 0 : -1}
      aria-selected={isChosen}
      data-over={drop?.["data-over"]}
      data-entry={id}
      draggable
      onClick={click}
      onDoubleClick={(event) => isOnControl(event) || onOpen(entry, event)}
      onContextMenu={menu}
      onDragStart={(event) => dragging.startDragging(selection.chosen.includes(id) ? selection.chosen : [id], event)}
      onDragOver={drop?.onDragOver}
      onDrop={drop?.onDrop}
    >
      <td className={styles.box}>
        <label>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label="Select"
            checked={isChosen}
            onChange={() => selection.choose(id, "toggle")}
          />
        </label>
      </td>
      <td>
        <div className={styles.name}>
          <EntryIcon type={type} isFolder={isFolder} thumbnail={hasThumbnails ? thumbnailOf(entry) : undefined} />
          <div>
            <a
              href={isFolder ? hrefOf(inFolder(view, id)) : `/files/content?id=${id}`}
              tabIndex={-1}
              draggable={false}
              onClick={(event) => onOpen(entry, event)}
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
