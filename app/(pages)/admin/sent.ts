import type { SearchParams } from "../next-path";

/** The parameters of an address that HTML can hold, each sent once: repeated ones are left out. */
export async function sentTo(searchParams: SearchParams): Promise<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(await searchParams).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value.replace(/[\0\r]/g, "").toWellFormed()]] : [],
    ),
  );
}
