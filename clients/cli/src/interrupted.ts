import { EXIT, Failure } from "./failure";

const leaving = new AbortController();

/** Aborted by Ctrl-C, or when the system ends this program. */
export const interrupted: AbortSignal = leaving.signal;

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => leaving.abort(new Failure(EXIT.interrupted, "interrupted", "Stopped.")));
