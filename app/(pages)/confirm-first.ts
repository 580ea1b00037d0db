/** The response to a download that needs a recent proof, by its address alone: `how` says what to press instead. */
export function confirmFirst(how: string): Response {
  return new Response(`Confirm it's you first: ${how}.\n`, {
    status: 403,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}
