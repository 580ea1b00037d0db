import { checkConfiguration } from "@/lib/configuration";
import { env, environment, namesOfVariables } from "@/lib/env";
import { redisProblem } from "@/lib/redis";
import type { Finding } from "./finding";
import { unsafeIn } from "./unsafe";

/** A name of one of our variables with more slips than this is another program's. */
const MOST_SLIPS = 2;
/** Of a shorter name, two slips make another word. */
const SHORTEST = 6;

/** What is wrong with the settings: the service would not start with them, or they do not do what they seem to. */
export async function* settings(set = namesOfVariables()): AsyncGenerator<Finding> {
  try {
    checkConfiguration();
  } catch (error) {
    yield { check: "settings", problem: (error as Error).message, advice: "The service does not start before that." };
  }
  for (const { problem, advice, isFault } of unsafeIn(env)) if (isFault) yield { check: "settings", problem, advice };
  for (const name of set.sort()) {
    const meant = mistyped(name);
    if (meant)
      yield {
        check: "settings",
        problem: `The variable ${name} is set, which nothing reads.`,
        advice: `If you meant ${meant}, rename it.`,
      };
  }
  const problem = await redisProblem();
  if (problem)
    yield {
      check: "settings",
      problem: `The Redis in REDIS_URL cannot be used (${problem}), so each process counts limits by itself.`,
      advice: "Check its host, port and password, and that it runs.",
    };
}

/** Which of our variables somebody meant by a name that is none of them. */
function mistyped(name: string): string | undefined {
  const names = Object.keys(environment.shape);
  if (name.length < SHORTEST || names.includes(name)) return undefined;
  const sameBegin = (one: string) => name.length >= 2 * SHORTEST && one.startsWith(name.slice(0, -1));
  return names.find((one) => one.length >= SHORTEST && (slips(name, one) <= MOST_SLIPS || sameBegin(one)));
}

/** How many letters were left out, added or exchanged (Levenshtein's distance). */
function slips(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries())
      current.push(
        Math.min(
          (above[column] ?? 0) + (letter === other ? 0 : 1),
          (above[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
        ),
      );
    above = current;
  }
  return above.at(-1) ?? 0;
}
