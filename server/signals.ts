/**
 * A signal sent through npm or a terminal may arrive twice: directly, and through the process that started the service.
 */
const SAME_MS = 1_000;

/** Calls `stop` on the first of these signals, and `atOnce` on one that comes a second or more after it. */
export function onSignal(signals: NodeJS.Signals[], stop: (signal: NodeJS.Signals) => void, atOnce: () => void): void {
  let began: number | undefined;
  const onReceived = (signal: NodeJS.Signals) => {
    if (began === undefined) {
      began = performance.now();
      stop(signal);
    } else if (performance.now() - began >= SAME_MS) atOnce();
  };
  for (const signal of signals) process.on(signal, onReceived);
}
