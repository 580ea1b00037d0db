import { clientModule, clientTypes } from "./bundle.mjs";

/** A loader for the build: the entry of the TypeScript client becomes the texts of its bundle and of its types. */
export default async function clientLoader() {
  this.addContextDependency(this.context);
  return `export const code = ${JSON.stringify(await clientModule())}, types = ${JSON.stringify(clientTypes())};`;
}
