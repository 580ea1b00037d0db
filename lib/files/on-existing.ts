/** What to do if the folder already has an entry with that name. */
export type OnExisting = "refuse" | "keep" | "replace";
