import { isEntryId } from "@/lib/files/entry-id";

export const SORTS = ["name", "type", "size", "edited"] as const;

/** Which part of the files a page shows; all of it stands in the address. */
export interface View {
  /** A folder's id; empty for the outermost. */
  folder: string;
  sort: (typeof SORTS)[number];
  descending: boolean;
  filter: string;
  /** Where in the folder the page begins (a cursor of lib/files), or "last". Empty: at its beginning. */
  at: string;
}

/** So many rows are drawn without delay on a phone too, and the server renders them without holding others up. */
export const ENTRIES_A_PAGE = 100;

/** What the address asks for; nonsense in it is as if it were not there. */
export function readView(sent: Record<string, string | string[] | undefined>): View {
  const text = (name: string) => (typeof sent[name] === "string" ? sent[name] : "");
  return {
    folder: isEntryId(text("folder")) ? text("folder") : "",
    sort: SORTS.find((sort) => sort === text("sort")) ?? "name",
    descending: text("order") === "descending",
    filter: text("filter").slice(0, 100),
    at: /^[\w-]{1,700}$/.test(text("at")) ? text("at") : "",
  };
}

/** The address of a view. */
export function hrefOf({ folder, sort, descending, filter, at }: View): string {
  const query = new URLSearchParams({
    ...(folder && { folder }),
    ...(sort !== "name" && { sort }),
    ...(descending && { order: "descending" }),
    ...(filter && { filter }),
    ...(at && { at }),
  });
  return query.size > 0 ? `/files?${query}` : "/files";
}

/** Another folder, from its beginning, sorted as this one is. */
export function inFolder(view: View, folder: string): View {
  return { ...view, folder, filter: "", at: "" };
}
