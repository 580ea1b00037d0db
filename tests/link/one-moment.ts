import { vi } from "vitest";

/** Does the work while the clock stands still: no window of a limit ends meanwhile, however slow the machine is. */
export async function atOneMoment(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}
