import { expect, test } from "vitest";
import { db, transaction } from "@/lib/db/client";
import { isNotMigrated } from "@/lib/db/errors";
import { refusalOf } from "@/lib/http/refusal";

const thrownBy = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

test("a database without tables is recognised, and treated as unavailable", async () => {
  for (const ask of [
    () => db.$queryRaw`SELECT "id" FROM "NoTable"`,
    () => transaction((tx) => tx.$queryRaw`SELECT "id" FROM "NoTable"`),
  ]) {
    const thrown = await thrownBy(ask());
    expect(isNotMigrated(thrown)).toBe(true);
    expect(refusalOf(thrown, "a request failed")).toMatchObject({ status: 503, code: "unavailable" });
  }
  expect(isNotMigrated({ code: "P2021" })).toBe(true);
});
