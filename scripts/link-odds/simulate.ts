import { closeDatabase, db } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { newId } from "@/lib/ids";
import { askForCode } from "@/lib/link/ask";
import { approveRequest } from "@/lib/link/decide";
import { drawLetters } from "@/lib/link/letters";
import { collectToken } from "@/lib/link/poll";
import { type Network, networkBehind } from "@/lib/network";
import { mintToken } from "@/lib/tokens";
import { judgedCodes } from "./paper";
import { unlessLimited } from "./unless-limited";

export interface Simulation {
  attack: string;
  rounds: number;
  hits: number;
  expected: number;
}

const ROUNDS = 200;
/** The set that a guesser draws from; one of them is the live code. It is small so that hits can be counted. */
const LETTERS = 80;
const PROGRAM = "program/1.0";

let networks = 0;
const newNetwork = (): Network => ({
  id: `11.${networks >> 16}.${(networks >> 8) & 255}.${networks++ & 255}`,
  kind: "remote",
});

/** Runs each attack against the service's own functions. */
export async function* simulations(): AsyncGenerator<Simulation> {
  await migrate();
  const user = await makeUser();
  const isStolen = async (code: string, network: Network) =>
    (await unlessLimited(collectToken(code, { network, program: PROGRAM, webPage: null }, null))) !== null;

  /** One code of a program at home; the attacker polls for these codes there, and again after the approval. */
  const round = async (attacker: (home: Network) => Network, guesses: (live: string) => string[]): Promise<boolean> => {
    const home = newNetwork();
    const { code, id } = await askForCode({ network: home, program: PROGRAM, webPage: null });
    await isStolen(code, home);
    const [from, tried] = [attacker(home), guesses(code)];
    for (const letters of tried) await isStolen(letters, from);
    await approveRequest({ id: user, network: home }, id);
    for (const letters of tried) if (await isStolen(letters, from)) return true;
    return false;
  };
  const count = async (
    attack: string,
    expected: number,
    attacker: (home: Network) => Network,
    guesses: (live: string) => string[],
  ): Promise<Simulation> => {
    let hits = 0;
    for (let n = 0; n < ROUNDS; n++) if (await round(attacker, guesses)) hits++;
    return { attack, rounds: ROUNDS, hits, expected };
  };
  const same = (home: Network) => home;
  const drawn = (most: number) => (live: string) => {
    const letters = Array.from({ length: LETTERS - 1 }, drawLetters);
    letters.splice(Math.floor(Math.random() * LETTERS), 0, live);
    return letters.slice(0, most);
  };
  yield await count("Guessing inside, up to the limit", (ROUNDS * judgedCodes()) / LETTERS, same, drawn(judgedCodes()));
  yield await count("Guessing inside, past the limit, every code", 0, same, drawn(LETTERS));
  yield await count("Guessing from outside", 0, newNetwork, drawn(judgedCodes()));
  yield await count("Onlooker", 0, newNetwork, (live) => [live]);
  yield await count(
    "Forged address",
    0,
    (home) => networkBehind(home.id),
    (live) => [live],
  );
}

export async function closeScratch(): Promise<void> {
  await closeDatabase();
}

async function makeUser(): Promise<string> {
  const id = newId();
  const now = new Date();
  await db.user.create({
    data: {
      id,
      username: "ada",
      usernameKey: "ada",
      role: "user",
      tokenAt: now,
      createdAt: now,
      ...mintToken(id).stored,
    },
  });
  return id;
}
