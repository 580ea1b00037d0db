/** Next calls this once, before it handles requests. Behind server.ts, all of it has been done already. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") await (await import("./server/under-next")).prepareUnderNext();
}

/** Next calls this for what fails while it renders. */
export async function onRequestError(error: unknown): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") (await import("./server/under-next")).noteFailure(error);
}
