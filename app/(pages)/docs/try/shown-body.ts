/** Indenting takes room with the square of the depth: deeper bodies are shown as they came. */
const DEEPEST = 100;

/** A JSON body that is whole is indented; anything else is shown as it came. */
export function shownBody(text: string, isWhole: boolean): string {
  if (!isWhole || depthOf(text) > DEEPEST) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** How deeply brackets are nested. Those in strings count too, which at most leaves a body as it came. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const letter of text) {
    if (letter === "[" || letter === "{") deepest = Math.max(deepest, ++depth);
    else if (letter === "]" || letter === "}") depth--;
  }
  return deepest;
}
