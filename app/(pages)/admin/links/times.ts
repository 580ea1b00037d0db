const HOUR = 3_600;

/** How long the page blocks a network, with the option of the command that does the same. */
export const BLOCK_TIMES = [
  { value: "1h", label: "1 hour", seconds: HOUR, option: " --for 1h" },
  { value: "1d", label: "1 day", seconds: 24 * HOUR, option: " --for 1d" },
  { value: "30d", label: "30 days", seconds: 30 * 24 * HOUR, option: " --for 30d" },
  { value: "ended", label: "Until unblocked", seconds: null, option: "" },
] as const;

export type BlockTime = (typeof BLOCK_TIMES)[number]["value"];
