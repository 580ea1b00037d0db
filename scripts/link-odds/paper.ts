import { env } from "@/lib/env";
import { CLOCKS_APART_SECONDS, GUESS_WINDOW_SECONDS, REFUSED_CODES } from "@/lib/link/guesses";
import { ALPHABET, CODE_LENGTH } from "@/lib/link/letters";
import { WIDER_POINTS } from "@/lib/network-limits";

/** The target: at most this many stolen tokens a day, for each attack. */
export const TARGET = 1e-5;

/** Seconds. */
export const DAY = 86_400;
const LINKS_A_DAY = 1_000;
/** The mean time from asking for a code to collecting. */
const MEAN_SECONDS = 30;
/** The seconds for which a code that is used can be hit. */
export const ALIVE_SECONDS = MEAN_SECONDS + CLOCKS_APART_SECONDS;
const CODES = ALPHABET.length ** CODE_LENGTH;
const WINDOWS_A_DAY = DAY / GUESS_WINDOW_SECONDS;

/** The rate of the former rules, as measured then. */
const FORMER_GUESSES_A_SECOND = 8_600;
const SLASH_64S_IN_A_48 = 65_536;

export interface Odds {
  attack: string;
  /** Expected stolen tokens a day under the former rules; for the onlooker and the forger, per code they aim at. */
  before: number;
  now: number;
  remark: string;
}

/**
 * The different codes checked for one network in a window: those within its limit, and those before it counts as a
 * guesser's.
 */
export function judgedCodes(): number {
  return env.LINK_FOREIGN_CODES_PER_10_MINUTES + REFUSED_CODES;
}

/** The expected stolen tokens a day of each attack, from the constants in the code. */
export function onPaper(): Odds[] {
  const first = env.LINK_FOREIGN_CODES_PER_10_MINUTES;
  const alive = (LINKS_A_DAY * MEAN_SECONDS) / DAY;
  const aliveNow = (LINKS_A_DAY * ALIVE_SECONDS) / DAY;
  const stolen = (guesses: number, codes: number) => (guesses * WINDOWS_A_DAY * codes) / CODES;
  const former = FORMER_GUESSES_A_SECOND * GUESS_WINDOW_SECONDS;
  const insider = stolen(judgedCodes(), aliveNow);
  const wrongPress = (guesses: number) =>
    `A person is asked wrongly ${stolen(guesses, aliveNow).toPrecision(2)} times a day; without a press, nothing.`;
  return [
    { attack: "Guessing from outside", before: stolen(first, alive), now: 0, remark: wrongPress(first) },
    {
      attack: "Guessing with a /48",
      before: stolen(first * SLASH_64S_IN_A_48, alive),
      now: 0,
      remark: wrongPress(first * (WIDER_POINTS.at(-1) ?? 1)),
    },
    {
      attack: "Guessing inside, all links there",
      before: stolen(former, alive),
      now: insider,
      remark: "All 1,000 links a day come from the guesser's network.",
    },
    {
      attack: "Guessing inside, 1 % of links",
      before: stolen(former, alive / 100),
      now: insider / 100,
      remark: "Ten links a day come from it.",
    },
    {
      attack: "1,000 accounts on the page",
      before: stolen(LINKS_A_DAY * env.LINK_WRONG_ENTRIES_PER_10_MINUTES, alive),
      now: 0,
      remark: "Entries count with the network's questions; one that hits shows no token.",
    },
    {
      attack: "Onlooker, a code seen",
      before: 1,
      now: 0,
      remark: "Without a press, nothing: the letters alone are worth nothing elsewhere.",
    },
    {
      attack: "Forged address, a code seen",
      before: 1,
      now: 0,
      remark: "An address that nobody vouches for is nobody's own.",
    },
  ];
}
