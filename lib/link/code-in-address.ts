/** What stands for the code in the address of the link page, which people paste whole; undefined where `text` is no such address. */
export function codeInAddress(text: string): string | undefined {
  const query = /(?:^|\/)link\/?\?(\S*)/i.exec(text.trim())?.[1];
  return query === undefined ? undefined : (new URLSearchParams(query.replace(/#.*$/, "")).get("code") ?? undefined);
}
