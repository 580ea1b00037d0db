import { env } from "@/lib/env";
import type { RunningService } from "@/tests/support/service";

/** Makes this process use the database of a service that it started: before anything opens one. */
export function useStorageOf({ storage }: RunningService): void {
  Object.assign(process.env, storage);
  Object.assign(env, storage);
}
