export const INCOMPLETE = "This page has not loaded completely";
export const RELOAD = "Reload it. If that doesn't help, try another network or browser.";

/**
 * Whether a part of the page's script could not be loaded, by what its error boundary was given. React does not ask
 * for it again: only the page loaded anew does.
 */
export const isPartMissing = (thrown: unknown) => thrown instanceof Error && thrown.name === "ChunkLoadError";
