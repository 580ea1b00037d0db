/** Where the pages describe a route: `/keys/get/{id}` has the id `keys-get`. */
export function anchorOf(path: string): string {
  return path
    .replace(/\/\{\w+\}/g, "")
    .slice(1)
    .replaceAll("/", "-");
}
