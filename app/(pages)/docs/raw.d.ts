/** The text of a file: next.config.mjs says how it is loaded. */
declare module "*?raw" {
  const text: string;
  export default text;
}

/** The client in one module, and its types, as scripts/clients/bundle.mjs makes them. */
declare module "*?client" {
  const code: string;
  const types: string;

  export { code, types };
}
