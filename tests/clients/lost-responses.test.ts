import { beforeAll, expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { origin } from "@/tests/support/http";
import { sized } from "@/tests/support/size";
import { makeUser } from "@/tests/support/user";
import { everyTenthLost, faultyWay } from "./faulty-way";
import { PythonClient } from "./python";
import { shortenPauses, TypeScriptClient } from "./typescript";

const CLIENTS = { python: PythonClient, typescript: TypeScriptClient };
const WORKERS = 8;
const KEYS = sized(200, 10_000);

beforeAll(shortenPauses);

test.each(["python", "typescript"] as const)(
  `in %s, ${KEYS} creations make ${KEYS} keys, and return each, though every tenth response is lost`,
  async (language) => {
    using way = await faultyWay(origin, everyTenthLost());
    const user = await makeUser();
    await db.user.update({ where: { id: user.id }, data: { mostKeys: KEYS } });
    const created = new Set<unknown>();
    let begun = 0;
    const work = async () => {
      using client = new CLIENTS[language](way.url);
      while (begun++ < KEYS) {
        const { answer } = await client.call("keys.create", { data: "x", price: 1 }, user.token);
        created.add((answer as { key: string } | undefined)?.key);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    const stored = await db.key.findMany({ where: { creatorId: user.id }, select: { id: true } });
    expect(stored).toHaveLength(KEYS);
    expect(stored.every(({ id }) => created.has(id))).toBe(true);
    expect(way.counts.get("lost")).toBeGreaterThan(KEYS / 10);
  },
);
