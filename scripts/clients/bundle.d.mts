/** The client in one module, minified. */
export function clientModule(): Promise<string>;
/** The types of the client in one file. */
export function clientTypes(): string;
