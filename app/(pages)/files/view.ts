export const SORTS = ["name", "type", "size", "edited"] as const;

/** Which part of the files a page shows; all of it stands in the address. */
export interface View {
  /** A folder's id; empty for the outermost. */
  folder: string;
  sort: (typeof SORTS)[number];
  descending: boolean;
  filter: string;
  /** Counted from 1. */
  page: number;
}

/** So many rows are drawn without delay on a phone too. */
export const ENTRIES_A_PAGE = 200;

/** What the address asks for; nonsense in it is as if it were not there. */
export function readView(sent: Record<string, string | string[] | undefined>): View {
  const text = (name: string) => (typeof sent[name] === "string" ? sent[name] : "");
  return {
    folder: /^[0-9a-f]{32}$/.test(text("folder")) ? text("folder") : "",
    sort: SORTS.find((sort) => sort === text("sort")) ?? "name",
    descending: text("order") === "descending",
    filter: text("filter").slice(0, 100),
    page: /^[1-9]\d{0,5}$/.test(text("page")) ? Number(text("page")) : 1,
  };
}

/** The address of a view. */
export function hrefOf({ folder, sort, descending, filter, page }: View): string {
  const query = new URLSearchParams({
    ...(folder && { folder }),
    ...(sort !== "name" && { sort }),
    ...(descending && { order: "descending" }),
    ...(filter && { filter }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size > 0 ? `/files?${query}` : "/files";
}

/** Another folder, from its beginning, sorted as this one is. */
export function inFolder(view: View, folder: string): View {
  return { ...view, folder, filter: "", page: 1 };
}
