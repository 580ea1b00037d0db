/** Whether a program asks, and so gets JSON where a person gets a page: a person's browser accepts HTML. */
export function isForProgram(accept: string | undefined): boolean {
  return !/\btext\/html\b/i.test(accept ?? "");
}
