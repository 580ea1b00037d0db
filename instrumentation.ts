/** Next calls this once, before it handles requests. Behind server.ts, all of it has been done already. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") await (await import("./server/under-next")).prepareUnderNext();
}
