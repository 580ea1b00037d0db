import { describe, expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { holdsKey } from "@/lib/keys/check";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { addHolderToMany, revokeHolderOfMany } from "@/lib/keys/holders-of-many";
import { KEYS_A_PAGE } from "@/lib/keys/list";
import { makeUser, newUsername, type TestUser } from "../support/user";

const asViewer = (user: TestUser) => ({ ...user, role: "user" });
const newKey = async (creator: TestUser) => (await createKey(asViewer(creator), { data: "secret", price: "1" })).id;
const rowOf = (creator: TestUser, id: string) => findKey(asViewer(creator), id);

const NO_KEY = "There is no key with this id.";
const NOT_CREATOR = "Only the key's creator can do this.";

describe("a user", () => {
  test("is added to each key that allows it, and what became of each is told", async () => {
    const [creator, other, holder] = await Promise.all([makeUser(), makeUser(), makeUser()]);
    const [one, held, deleted, foreign] = [
      await newKey(creator),
      await newKey(creator),
      await newKey(creator),
      await newKey(other),
    ];
    await addHolder(asViewer(creator), await rowOf(creator, held), holder.username);
    await deleteKey(asViewer(creator), await rowOf(creator, deleted));

    const ids = [deleted, foreign, newId(), held, one];
    expect(await addHolderToMany(asViewer(creator), ids, holder.username.toUpperCase())).toEqual({
      user: holder.username,
      results: [
        { id: deleted, changed: false, error: NO_KEY },
        { id: foreign, changed: false, error: NOT_CREATOR },
        { id: ids[2], changed: false, error: NO_KEY },
        { id: held, changed: false },
        { id: one, changed: true },
      ],
    });
    expect(await holdsKey(holder.username, one)).toBe(true);
    expect(await holdsKey(holder.username, foreign)).toBe(false);
  });

  test("loses each key that allows it; a creator keeps their own", async () => {
    const [creator, holder] = await Promise.all([makeUser(), makeUser()]);
    const [one, unheld] = [await newKey(creator), await newKey(creator)];
    await addHolder(asViewer(creator), await rowOf(creator, one), holder.username);
    expect(await revokeHolderOfMany(asViewer(creator), [one, unheld, one], holder.username)).toEqual({
      user: holder.username,
      results: [
        { id: one, changed: true },
        { id: unheld, changed: false },
        { id: one, changed: false },
      ],
    });
    expect(await holdsKey(holder.username, one)).toBe(false);
    const own = await revokeHolderOfMany(asViewer(creator), [one], creator.username);
    expect(own.results).toEqual([
      { id: one, changed: false, error: "A key's creator always holds it. Delete the key instead." },
    ]);
    expect(await holdsKey(creator.username, one)).toBe(true);
  });

  test("who does not exist, and more keys than a page shows, change nothing", async () => {
    const [creator, holder] = await Promise.all([makeUser(), makeUser()]);
    const one = await newKey(creator);
    await expect(addHolderToMany(asViewer(creator), [one], newUsername())).rejects.toMatchObject({
      code: "user_not_found",
    });
    const many = [one, ...Array.from({ length: KEYS_A_PAGE }, newId)];
    for (const change of [addHolderToMany, revokeHolderOfMany])
      await expect(change(asViewer(creator), many, holder.username)).rejects.toMatchObject({
        code: "invalid_parameter",
      });
    expect(await holdsKey(holder.username, one)).toBe(false);
    const { results } = await addHolderToMany(asViewer(creator), many.slice(0, KEYS_A_PAGE), holder.username);
    expect(results).toHaveLength(KEYS_A_PAGE);
    expect(await holdsKey(holder.username, one)).toBe(true);
  });
});
