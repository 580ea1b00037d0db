/** How long a notification may be delayed to be combined with others (throttle). */
const WAIT_MS = 1_500;

/** Passes on notifications: immediately for the last one, and combined over a while before that. */
export function someAtATime(tell: () => void): (isLast: boolean) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tellNow = () => {
    clearTimeout(timer);
    timer = undefined;
    tell();
  };
  return (isLast) => {
    if (isLast) tellNow();
    else timer ??= setTimeout(tellNow, WAIT_MS);
  };
}
