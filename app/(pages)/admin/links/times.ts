const HOUR = 3_600;

/** How long the page blocks a network. */
export const BLOCK_TIMES = [
  { value: "1h", label: "1 hour", seconds: HOUR },
  { value: "1d", label: "1 day", seconds: 24 * HOUR },
  { value: "30d", label: "30 days", seconds: 30 * 24 * HOUR },
  { value: "ended", label: "Until unblocked", seconds: null },
] as const;
