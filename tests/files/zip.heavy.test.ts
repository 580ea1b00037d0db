import { expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { MOST_ZIPPED, zipEntries } from "@/lib/files/zip-entries";
import { chunks, file, idOf, root, values } from "@/tests/support/documents";
import { makeUser } from "@/tests/support/user";

test("a folder with too much below it is refused before the first byte", async () => {
  const user = await makeUser();
  const location = `origin/(c) users/${user.username}`;
  const box = { type: ".folder", name: "Box", location, data: [], id: idOf(2) };
  const inside = Array.from({ length: MOST_ZIPPED }, (_, n) => ({
    ...file(user.username, n + 3, ""),
    location: `${location}/Box`,
  }));
  await importDocument(user, chunks(JSON.stringify([root(user.username), box, ...inside].flatMap(values))));
  await expect(zipEntries(user, [idOf(2)])).rejects.toMatchObject({ code: "too_many_entries", status: 400 });
  await (await zipEntries(user, [idOf(3), idOf(4)])).return(undefined);
});
