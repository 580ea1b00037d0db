/** How long ago something happened, in words. */
export function Since({ seconds }: { seconds: number }) {
  if (seconds < 5) return "A moment ago";
  if (seconds < 90) return `${seconds} seconds ago`;
  return `${Math.round(seconds / 60)} minutes ago`;
}
