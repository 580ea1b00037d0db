import { db } from "@/lib/db/client";
import { openToken } from "@/lib/tokens";
import { idIn, nameIn } from "@/scripts/seed-console/dialect";

/** Somebody of the seeded users. */
export interface Somebody {
  id: string;
  username: string;
  token: string;
}

/** A seeded key, with people who use it. */
export interface Sample {
  key: string;
  creator: Somebody;
  /** Neither its creator nor a holder. */
  other: Somebody;
}

/** Of each kind, spread over all of them. */
const SAMPLES = 60;
/** The first users have more keys than others. */
const BUSY = 100;

/** Keys all over the database, which their usual creators made. The seed's formulas say whose they are. */
export async function findSamples(users: number, keys: number): Promise<Sample[]> {
  const chosen: { key: number; creator: number; other: number }[] = [];
  const step = keys / (SAMPLES * 2);
  for (let place = 1; chosen.length < SAMPLES && place < keys; place += step) {
    const key = Math.floor(place);
    const creator = (key * 7919) % users;
    const other = (key * 31 + 17) % users;
    const isUsual = key % 10 !== 0 && creator >= BUSY && other >= BUSY && creator !== other;
    if (isUsual && isEnabled(creator) && isEnabled(other)) chosen.push({ key, creator, other });
  }
  const people = await findPeople(new Set(chosen.flatMap(({ creator, other }) => [creator, other])));
  return chosen.map(({ key, creator, other }) => ({
    key: idIn("key", key),
    creator: people(creator),
    other: people(other),
  }));
}

const isEnabled = (user: number) => user % 200 !== 199;

async function findPeople(numbers: Set<number>): Promise<(number: number) => Somebody> {
  const rows = await db.user.findMany({
    where: { id: { in: [...numbers].map((number) => idIn("user", number)) } },
    select: { id: true, tokenSealed: true },
  });
  const tokens = new Map(rows.map(({ id, tokenSealed }) => [id, openToken(tokenSealed, id)]));
  return (number) => {
    const id = idIn("user", number);
    const token = tokens.get(id);
    if (token === undefined) throw new Error(`The user ${nameIn(number)} is not in the database.`);
    return { id, username: nameIn(number), token };
  };
}
