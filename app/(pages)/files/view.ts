import { isEntryId } from "@/lib/files/schema";

export const SORTS = ["name", "type", "size", "edited"] as const;

/** The part of the files that a page shows; all of it is in the address. */
export interface View {
  /** A folder's id; empty for the root. */
  folder: string;
  sort: (typeof SORTS)[number];
  descending: boolean;
  filter: string;
  /** Whether the filter is about all folders. */
  everywhere: boolean;
  /** Where in the folder the page begins (a cursor of lib/files), or "last". Empty: at its start. */
  at: string;
  /** The id of an entry to point out, on whichever page it is. */
  show: string;
}

/** Even a phone draws this many rows without delay, and the server renders them without delaying others. */
export const ENTRIES_A_PAGE = 100;

/** The view in an address; invalid values are ignored. */
export function readView(query: Record<string, string | string[] | undefined>): View {
  const text = (name: string) => (typeof query[name] === "string" ? query[name] : "");
  return {
    folder: isEntryId(text("folder")) ? text("folder") : "",
    sort: SORTS.find((sort) => sort === text("sort")) ?? "name",
    descending: text("order") === "descending",
    filter: text("filter").slice(0, 100),
    everywhere: text("in") === "all",
    at: /^[\w-]{1,700}$/.test(text("at")) ? text("at") : "",
    show: isEntryId(text("show")) ? text("show") : "",
  };
}

/** The address of a view. */
export function hrefOf({ folder, sort, descending, filter, everywhere, at, show }: View): string {
  const query = new URLSearchParams({
    ...(folder && { folder }),
    ...(sort !== "name" && { sort }),
    ...(descending && { order: "descending" }),
    ...(filter && { filter }),
    ...(everywhere && { in: "all" }),
    ...(at && { at }),
    ...(show && { show }),
  });
  return query.size > 0 ? `/files?${query}` : "/files";
}

/** Another folder, from its beginning, sorted as this one is. */
export function inFolder(view: View, folder: string): View {
  return { ...view, folder, filter: "", everywhere: false, at: "", show: "" };
}
