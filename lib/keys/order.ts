/** The keys that the caller created, or those that others gave the caller. */
export type ListKind = "made" | "given";

export type SortColumn = "name" | "creator" | "price" | "holders" | "since";

const COLUMNS: Record<ListKind, readonly SortColumn[]> = {
  made: ["name", "price", "holders", "since"],
  given: ["name", "creator", "price", "since"],
};

export interface Order {
  column: SortColumn;
  isDescending: boolean;
}

const NEWEST_FIRST: Order = { column: "since", isDescending: true };

/**
 * The order that an address requests: the name of a column of this list, after a minus if descending. Anything else is
 * newest first.
 */
export function readOrder(text: string, kind: ListKind): Order {
  const isDescending = text.startsWith("-");
  const column = COLUMNS[kind].find((one) => one === text.slice(isDescending ? 1 : 0));
  return column ? { column, isDescending } : NEWEST_FIRST;
}

/** How an address requests this order; empty for the default. */
export function writeOrder({ column, isDescending }: Order): string {
  const isUsual = column === NEWEST_FIRST.column && isDescending === NEWEST_FIRST.isDescending;
  return isUsual ? "" : `${isDescending ? "-" : ""}${column}`;
}

/** The order after a press on the head of this column: the other way round, or first as people want to read it. */
export function orderAfter(order: Order, column: SortColumn): Order {
  if (order.column === column) return { column, isDescending: !order.isDescending };
  return { column, isDescending: column === "holders" || column === "since" };
}
