/** The latchkey: an L whose stem is a key. Drawn on its door, for use beside the name. */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#174f3f" />
      <g fill="none" stroke="#ecc468" strokeWidth="3" strokeLinejoin="round" strokeLinecap="round">
        <circle cx="12.5" cy="9.5" r="4" />
        <path d="M12.5 13.5V26h8v-4.5M12.5 20h4" />
      </g>
    </svg>
  );
}
