/** Whether a program asks, and so gets JSON for what has no address or may not be seen: a person's browser accepts HTML. */
export function isForProgram(accept: string | undefined): boolean {
  return !/\btext\/html\b/i.test(accept ?? "");
}
