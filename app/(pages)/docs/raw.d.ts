/** The text of a file: next.config.mjs says how it is loaded. */
declare module "*?raw" {
  const text: string;
  export default text;
}

/** The words of a page, as scripts/words-of-page.mjs finds them. */
declare module "*?words" {
  const words: string;
  export default words;
}
