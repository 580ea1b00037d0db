/** A part of an upload, and the longest file that needs only one. Platforms that run the service may refuse more than 4.5 MB. */
export const PART_BYTES = 4_000_000;
