/** How long what has arrived may wait for more, before it is told. */
const WAIT_MS = 1_500;

/** Passes on that things have arrived: at once after the last one, and before that once for all of a while. */
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
