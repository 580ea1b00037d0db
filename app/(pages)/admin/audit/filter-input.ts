import { FILTER_FIELDS, type FilterInput } from "@/lib/operator/audit/filter";

/** The filter in the query of an address: each field once, as text. Everything else is ignored. */
export function filterInput(query: Record<string, string | string[] | undefined>): FilterInput {
  return Object.fromEntries(
    FILTER_FIELDS.flatMap((field) => {
      const value = query[field];
      return typeof value === "string" && value.trim() !== "" ? [[field, value.trim()]] : [];
    }),
  );
}

/** The id of an event in an address; undefined if there is none. */
export function eventId(parameter: string | string[] | null | undefined): number | undefined {
  return typeof parameter === "string" && /^\d{1,15}$/.test(parameter) ? Number(parameter) : undefined;
}
