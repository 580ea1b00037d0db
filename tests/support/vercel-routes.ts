/** A route of config.json, as in Vercel's Build Output API (version 3), with only the fields that our builds use. */
export interface VercelRoute {
  src?: string;
  dest?: string;
  status?: number;
  headers?: Record<string, string>;
  methods?: string[];
  has?: Condition[];
  missing?: Condition[];
  continue?: boolean;
  check?: boolean;
  handle?: string;
  middlewarePath?: string;
}

interface Condition {
  type: "header" | "host" | "cookie" | "query";
  key: string;
  value?: string;
}

export interface Matched {
  route: VercelRoute;
  /** Its target, with matches filled in. */
  dest?: string;
}

type Headers = Record<string, string | string[] | undefined>;

/** The routes of each phase, by name; those before the first belong to the phase "first". */
export function phasesOf(routes: VercelRoute[]): Map<string, VercelRoute[]> {
  const phases = new Map<string, VercelRoute[]>([["first", []]]);
  let phase = "first";
  for (const route of routes) {
    if (route.handle) phase = route.handle;
    else phases.set(phase, [...(phases.get(phase) ?? []), route]);
  }
  return phases;
}

/** The route as it applies to a path, or undefined if it does not. */
export function matchRoute(route: VercelRoute, path: string, method: string, headers: Headers): Matched | undefined {
  const found = new RegExp(/^\^/.test(route.src ?? "") ? (route.src ?? "") : `^${route.src}$`, "i").exec(path);
  if (!found || (route.methods && !route.methods.includes(method))) return undefined;
  const groups: Record<string, string | undefined> = { ...found.groups };
  const holds = (condition: Condition) => {
    const sent = condition.type === "header" ? headers[condition.key.toLowerCase()] : undefined;
    if (sent === undefined) return false;
    const value = condition.value === undefined ? null : new RegExp(`^${condition.value}$`).exec(String(sent));
    Object.assign(groups, value?.groups);
    return condition.value === undefined || value !== null;
  };
  if (route.has?.some((condition) => !holds(condition)) || route.missing?.some(holds)) return undefined;
  const dest = route.dest?.replace(
    /\$(\w+)/g,
    (_, name: string) => (/^\d+$/.test(name) ? found[Number(name)] : groups[name]) ?? "",
  );
  return { route, dest };
}
