import { beforeEach } from "vitest";
import type { Visitor } from "./visitor";

/** Opens somebody's window before each test of this file. The file takes what it needs. */
export function openForEach<Opened extends Visitor>(
  open: () => Promise<Opened>,
  take: (opened: Opened) => void | Promise<void>,
): void {
  beforeEach(async () => {
    await take(await open());
  });
}
