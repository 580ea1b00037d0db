import { expect, test } from "vitest";
import { createFolder } from "@/lib/files/create-folder";
import { listFolder } from "@/lib/files/list";
import { makeUser } from "@/tests/support/user";

test("folders do not lie so deep that a document could not be imported again", async () => {
  const user = await makeUser();
  let parent: string | undefined;
  const deepen = async () => {
    for (let n = 0; n < 300; n++) parent = (await createFolder(user, parent, "n".repeat(255))).id;
  };
  await expect(deepen()).rejects.toMatchObject({
    status: 400,
    code: "invalid_parameter",
    message: expect.stringMatching(/too deep/),
  });
  expect(
    (await listFolder(user.id, { folderId: parent, sort: "name", descending: false, limit: 1 })).breadcrumbs.length,
  ).toBeLessThanOrEqual(101);
});
