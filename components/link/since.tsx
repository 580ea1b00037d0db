import { ageInWords } from "../age-in-words";

const MOST_SECONDS = 90;

/** How long ago something happened, as the beginning of a sentence: to the second while that matters. */
export function Since({ seconds }: { seconds: number }) {
  if (seconds >= 5 && seconds < MOST_SECONDS) return <span>{`${seconds} seconds ago`}</span>;
  const words = ageInWords(seconds) ?? "more than a week ago";
  return <span>{words.charAt(0).toUpperCase() + words.slice(1)}</span>;
}
