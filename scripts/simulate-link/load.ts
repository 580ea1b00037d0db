import { env } from "@/lib/env";
import { GUESS_WINDOW_SECONDS } from "@/lib/link/guesses";
import { APPROVE_WITHIN_SECONDS, REUSE_AFTER_SECONDS } from "@/lib/link/lifetimes";
import { ALIVE_SECONDS, DAY, judgedCodes } from "../link-odds/paper";
import { ALL_CODES } from "./space";

/** Of a hundred codes, so many are never entered anywhere: they live until their time is over. */
export const ABANDONED = 0.2;
/** Networks that guess from outside, each as much as its limit allows. */
export const OUTSIDERS = 1_000;
/** Draws of letters before the service says that it has none (lib/link/ask.ts). */
const DRAWS = 100;
/** Codes that share a mask with one: itself, and each that differs in one of six letters. */
const CLOSE = 1 + 6 * 23;

/** What a load does to six letters, on paper. */
export interface Forecast {
  linksADay: number;
  /** Codes that somebody is about to approve or collect. */
  alive: number;
  /** The part of all codes that is used or too close to a live one. */
  taken: number;
  drawsPerCode: number;
  /** Of the requests for a code, the part that gets none. */
  refused: number;
  /** Live codes that outsiders hit: each asks a person to press for a stranger. */
  hitsADay: number;
  /** Tokens that are stolen if somebody guesses in every network, and no program sends its secret. */
  stolenADay: number;
}

/** The first polls of a network for codes of others in a day. */
export const guessesADay = (perWindow: number) => (perWindow * DAY) / GUESS_WINDOW_SECONDS;

export const outsidersGuesses = () => OUTSIDERS * guessesADay(env.LINK_FOREIGN_CODES_PER_10_MINUTES);

/** Codes that may be approved or collected at one time. */
export const aliveAt = (linksADay: number) => (linksADay * (1 - ABANDONED) * ALIVE_SECONDS) / DAY;
/** Those that nobody will ever enter. */
export const abandonedAt = (linksADay: number) => (linksADay * ABANDONED * APPROVE_WITHIN_SECONDS) / DAY;

/** What a load does, from the constants in the code. `rude` is the part of all letters that are never drawn. */
export function forecast(linksADay: number, rude: number): Forecast {
  const alive = aliveAt(linksADay);
  const outstanding = alive + abandonedAt(linksADay);
  const used = Math.min(1, (linksADay * REUSE_AFTER_SECONDS) / DAY / (ALL_CODES * (1 - rude)));
  const taken = 1 - (1 - used) * Math.max(0, 1 - (outstanding * CLOSE) / ALL_CODES);
  const failing = 1 - (1 - taken) * (1 - rude);
  return {
    linksADay,
    alive,
    taken,
    drawsPerCode: failing < 1 ? (1 - failing ** DRAWS) / (1 - failing) : DRAWS,
    refused: outstanding > env.LINK_OUTSTANDING_CODES ? 1 : failing ** DRAWS,
    hitsADay: (outsidersGuesses() * alive) / ALL_CODES,
    stolenADay: (guessesADay(judgedCodes()) * alive) / ALL_CODES,
  };
}

/** The highest load, to two digits, that `isBearable`. */
export function highestLoad(isBearable: (load: Forecast) => boolean, rude: number): number {
  let [low, high] = [1, 1e12];
  for (let step = 0; step < 100; step++) {
    const middle = Math.sqrt(low * high);
    if (isBearable(forecast(middle, rude))) low = middle;
    else high = middle;
  }
  return Number(low.toPrecision(2));
}
