const ALL = Symbol.for("latchkey");

/**
 * What this process has once, by name, and not once for each copy of a module: Next's bundle and the server's bundle
 * each have one of our modules. Whoever asks first makes it.
 */
export function perProcess<T extends object>(name: string, make: () => T): T {
  const process = globalThis as { [ALL]?: Map<string, object> };
  process[ALL] ??= new Map();
  const known = process[ALL].get(name) ?? make();
  process[ALL].set(name, known);
  return known as T;
}
