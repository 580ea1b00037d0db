/** 0 (guessed immediately) to 4 (practically never). */
export type Strength = 0 | 1 | 2 | 3 | 4;

/** Loads the password meter: it is large, so only when somebody is about to enter a new password. */
export async function loadJudge(): Promise<(password: string) => Strength> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const judge = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return (password) => judge.check(password.slice(0, 100)).score;
}
