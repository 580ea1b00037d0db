/** The id before which a page of a list ends, as its address has it. Undefined for the first page. */
export function idBefore(parameter: string | string[] | undefined): number | undefined {
  return typeof parameter === "string" && /^[1-9]\d{0,14}$/.test(parameter) ? Number(parameter) : undefined;
}
