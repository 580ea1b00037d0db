import { afterAll, beforeAll } from "vitest";
import { ask } from "@/tests/support/http";
import { type SmallDisk, type SmallDiskKind, smallDisk } from "@/tests/support/small-disk";
import { startWithOneUser } from "./one-user";

/** A service with one user, on a small disk of its own. */
export function startOnSmallDisk(kind: SmallDiskKind) {
  let disk: SmallDisk;
  beforeAll(() => {
    disk = smallDisk(kind);
  });
  afterAll(() => disk?.remove());
  const own = startWithOneUser("sqlite", () => disk.variables);
  const call = (path: string, query: Record<string, string> = {}) =>
    ask(path, { query: { ...query, auth: own.user.token } }, own.service.url);
  const create = (data: string) => call("/keys/create", { data, price: "1" });
  return { own, disk: () => disk, call, create };
}
