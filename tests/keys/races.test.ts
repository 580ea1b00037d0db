import { describe, expect, test } from "vitest";
import { auditTrail } from "@/lib/audit";
import { holdsKey } from "@/lib/keys/check";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { makeUser } from "../support/user";
import { patiently } from "./patiently";

const asViewer = (user: { id: string; username: string }) => ({ ...user, role: "user" });

describe("50 revocations and 50 additions of one user at once", () => {
  test.each([1, 2, 3])(
    "leave the state of the last one committed, and exactly those that changed something in the trail (%i)",
    async () => {
      const [creator, user] = await Promise.all([makeUser(), makeUser()]);
      const key = await createKey(asViewer(creator), { data: "secret", price: "1" });
      const row = await findKey(asViewer(creator), key.id);
      const revoke = () => revokeHolder(asViewer(creator), row, user.username);
      const add = () => addHolder(asViewer(creator), row, user.username);

      const answers = await Promise.all(
        Array.from({ length: 100 }, async (_, index) =>
          index % 2 === 0
            ? { action: "key.revoke", changed: (await patiently(revoke)).revoked }
            : { action: "key.add", changed: (await patiently(add)).added },
        ),
      );

      // Newest first. Every change that was answered is in it once, and no other.
      const trail = (await auditTrail({ subjectId: key.id }, 1_000)).filter(({ action }) => action !== "key.create");
      const changes = answers.filter(({ changed }) => changed);
      for (const action of ["key.add", "key.revoke"])
        expect(trail.filter((event) => event.action === action)).toHaveLength(
          changes.filter((answer) => answer.action === action).length,
        );

      // Only an addition can follow a revocation, and the other way round: any other order is not the one of the
      // commits.
      const inOrder = trail.map(({ action }) => action).reverse();
      expect(inOrder).toEqual(inOrder.map((_, index) => (index % 2 === 0 ? "key.add" : "key.revoke")));
      expect(inOrder.length).toBeGreaterThan(0);
      expect(await holdsKey(user.username, key.id)).toBe(inOrder.at(-1) === "key.add");
    },
  );

  test("of the creator change nothing", async () => {
    const creator = await makeUser();
    const key = await createKey(asViewer(creator), { data: "secret", price: "1" });
    const row = await findKey(asViewer(creator), key.id);
    const refused = await Promise.allSettled(
      Array.from({ length: 50 }, () => patiently(() => revokeHolder(asViewer(creator), row, creator.username))),
    );
    expect(refused.every((answer) => answer.status === "rejected" && answer.reason.code === "creator_access")).toBe(
      true,
    );
    expect(await holdsKey(creator.username, key.id)).toBe(true);
  });
});
