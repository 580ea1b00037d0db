const SPLITS = 1_000;

export function shuffle<T>(values: T[]): T[] {
  for (let last = values.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [values[last], values[other]] = [values[other] as T, values[last] as T];
  }
  return values;
}

export function quantile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? Number.NaN;
}

export const median = (values: number[]) => quantile(values, 0.5);
export const spread = (groups: number[][]) => Math.max(...groups.map(median)) - Math.min(...groups.map(median));

/** How far apart the medians of as many groups lie when chance alone has put the times into them, 95 times in 100. */
export function noise(groups: number[][]): number {
  const all = groups.flat();
  const count = all.length / groups.length;
  const byChance = Array.from({ length: SPLITS }, () => {
    shuffle(all);
    return spread(groups.map((_, index) => all.slice(index * count, (index + 1) * count)));
  });
  return quantile(byChance, 0.95);
}
