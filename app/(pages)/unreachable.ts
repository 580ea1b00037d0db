/** What a page says when its request got no answer at all. */
export const UNREACHABLE = "The service could not be reached. Check your connection, then try again.";
