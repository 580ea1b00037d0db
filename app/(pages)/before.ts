/** The id before which a page of a list ends, as its address has it. Undefined for the first page. */
export function idBefore(sent: string | string[] | undefined): number | undefined {
  return typeof sent === "string" && /^[1-9]\d{0,14}$/.test(sent) ? Number(sent) : undefined;
}
