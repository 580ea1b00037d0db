let ending: Promise<void> | undefined;

/** Resolves when this turn of the event loop has read all requests that were there, for everybody who waits at once. */
export function endOfTurn(): Promise<void> {
  ending ??= new Promise((done) =>
    setImmediate(() => {
      ending = undefined;
      done();
    }),
  );
  return ending;
}
