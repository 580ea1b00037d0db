/** Where a page about one request is: it names the ticket that the browser keeps, never the letters. */
export const addressOf = (ticketId: string) => `/link?request=${ticketId}`;
