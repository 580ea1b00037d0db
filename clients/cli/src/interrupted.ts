import { EXIT, Failure } from "./failure";

const leaving = new AbortController();

/** Aborted by Ctrl-C, when the system ends this program, or when nothing more can be printed. */
export const interrupted: AbortSignal = leaving.signal;

/** Ends what is under way. */
export const leave = (reason: Failure): void => leaving.abort(reason);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => leave(new Failure(EXIT.interrupted, "interrupted", "Stopped.")));
