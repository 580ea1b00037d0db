/**
 * The maximum size in bytes of one part of an upload, and of a file sent whole. Platforms that run the service may
 * refuse more than 4.5 MB in one request.
 */
export const PART_BYTES = 4_000_000;

/** Files of at most this size, in bytes, are sent several in one request. */
export const SMALL_BYTES = 64_000;
/** How many of them in one request: together with their names they fit into one part. */
export const MOST_TOGETHER = 50;
