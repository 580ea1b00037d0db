import { expect, test } from "vitest";
import { migrationNames } from "@/lib/db/migrations";

test("both databases have the same migrations, so that either restores the other's backups", () => {
  expect(migrationNames("sqlite")).toEqual(migrationNames("postgresql"));
});
