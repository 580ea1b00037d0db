import { routes } from "@/app/(api)/routes";
import { NETWORK_HEADER, networkHeader } from "@/lib/network";
import type { Sample, Somebody } from "./samples";

/** One thing to measure. `run` is called once for each sample. */
export interface Measured {
  name: string;
  run: (sample: Sample, index: number) => Promise<unknown>;
}

let networks = 0;
/** Each request comes from a network of its own, as on a large service. */
const fromElsewhere = () => {
  const number = networks++;
  return networkHeader({ id: `11.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`, kind: "remote" });
};

/** Calls the handler of a route as the process does, and reads its response. Throws unless it has this status. */
async function call(pattern: string, path: string, who?: Somebody, { status = 200, headers = {} } = {}): Promise<Body> {
  const route = routes[pattern];
  if (!route) throw new Error(`There is no route ${pattern}.`);
  const request = new Request(`http://127.0.0.1${path}`, {
    headers: { [NETWORK_HEADER]: fromElsewhere(), ...(who && { authorization: `Bearer ${who.token}` }), ...headers },
  });
  const response = await route.GET(request);
  const text = await response.text();
  if (response.status !== status) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 200)}`);
  return { text, secret: response.headers.get("link-secret") ?? "" };
}

interface Body {
  text: string;
  secret: string;
}

/** Every route of the API, in an order in which each finds what it needs. */
export function routesToMeasure(): Measured[] {
  const made: string[] = [];
  const codes: { code: string; secret: string }[] = [];
  const get = (pattern: string, path: (sample: Sample) => string, who: "creator" | "other" = "creator"): Measured => ({
    name: pattern,
    run: (sample) => call(pattern, path(sample), sample[who]),
  });
  const own = (pattern: string, query: (sample: Sample, key: string) => string): Measured => ({
    name: pattern,
    run: (sample, index) =>
      call(pattern, pattern.replace("{id}", made[index] ?? "") + query(sample, made[index] ?? ""), sample.creator),
  });
  const poll = (pattern: string): Measured => ({
    name: `${pattern}, pending`,
    run: (_, index) => {
      const { code = "", secret = "" } = codes[index] ?? {};
      return call(pattern, `${pattern}?code=${code}`, undefined, { status: 404, headers: { "link-secret": secret } });
    },
  });
  return [
    { name: "/health", run: () => call("/health", "/health") },
    { name: "/ready", run: () => call("/ready", "/ready") },
    get("/me", () => "/me"),
    get("/v2/me", () => "/v2/me"),
    get("/get_user", () => "/get_user"),
    get("/keys/get/{id}", ({ key }) => `/keys/get/${key}`),
    { ...get("/keys/get/{id}", ({ key }) => `/keys/get/${key}`, "other"), name: "/keys/get/{id}, of others" },
    get("/keys/check/{username}", ({ key, creator }) => `/keys/check/${creator.username}?key=${key}`),
    get("/keys/mine", () => "/keys/mine"),
    {
      name: "/keys/create",
      run: async ({ creator }, index) => {
        const { text } = await call("/keys/create", "/keys/create?data=secret&price=1.5", creator);
        made[index] = JSON.parse(text).key;
      },
    },
    own("/keys/update/{id}", () => "?key=data&data=SECRET"),
    own("/keys/name/{id}", () => "?name=Name"),
    own("/keys/admin_add/{id}", ({ other }, key) => `?key=${key}&username=${other.username}`),
    own("/keys/revoke/{id}", ({ other }) => `?user=${other.username}`),
    own("/keys/admin_remove/{id}", ({ other }) => `?username=${other.username}`),
    own("/keys/delete/{id}", () => ""),
    {
      name: "/link/code",
      run: async (_, index) => {
        const { text, secret } = await call("/link/code", "/link/code");
        codes[index] = { code: JSON.parse(text).code, secret };
      },
    },
    { ...poll("/link/status"), run: (_, index) => statusOf(codes[index]) },
    poll("/link/user"),
    get("/read-files", () => "/read-files"),
  ];
}

const statusOf = (code = { code: "", secret: "" }) =>
  call("/link/status", `/link/status?code=${code.code}`, undefined, { headers: { "link-secret": code.secret } });
