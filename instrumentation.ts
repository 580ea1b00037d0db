/** Next calls this once, before it answers. Behind server.ts all of it has been done. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") await (await import("./server/under-next")).prepareUnderNext();
}
