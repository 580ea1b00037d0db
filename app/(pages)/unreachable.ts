/** The sentence of a page whose request got no response. */
export const UNREACHABLE = "The service could not be reached. Check your connection, then try again.";
