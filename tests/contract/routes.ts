import * as openApi from "@/app/(api)/openapi.json/route";
import { routes } from "@/app/(api)/routes";
import { type Declaration, parametersOf, refusesPrefetch } from "@/lib/api/declaration";
import type { Access } from "@/lib/platform/access";

/** A route of the contract, and a request that it answers with 200 or 404 to any user. */
interface ContractRoute {
  /** As the interface's description names it. */
  pattern: string;
  path: string;
  query: Record<string, string>;
  required: string[];
  /** Changes something, so HEAD, prefetching and sub-resources of pages are refused. */
  changes: boolean;
  /** Prefetching and sub-resources of pages are refused: it changes something, or counts as a guess. */
  refusesPrefetch: boolean;
  needsToken: boolean;
  /** The access that a token needs. */
  needs: Access;
}

/** With the values of its example, which name nothing that is there. */
function contractRoute(declaration: Declaration): ContractRoute {
  const { path: pattern, access, caller, needs, example } = declaration;
  const shown = (name: string) => example.parameters?.[name] ?? "";
  const required = parametersOf(declaration)
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name }) => name);
  return {
    pattern,
    path: pattern.replace(/\{(\w+)\}/g, (_, name: string) => shown(name)),
    query: Object.fromEntries(required.map((name) => [name, shown(name)])),
    required,
    changes: access === "change",
    refusesPrefetch: refusesPrefetch(declaration),
    needsToken: caller === "token",
    needs: needs ?? "everything",
  };
}

/** Every route of the contract, but the operator's /metrics, which answers as it is configured. */
export const ROUTES: ContractRoute[] = Object.values({ ...routes, openApi })
  .map(({ GET }) => GET.declaration)
  .filter(({ operatorToken }) => operatorToken === undefined)
  .map(contractRoute);

export const named = (some: ContractRoute[]) => some.map((each) => [each.pattern, each] as const);
export const READING = ROUTES.filter(({ changes }) => !changes);
export const REFUSING_PREFETCH = ROUTES.filter((each) => each.refusesPrefetch);
export const PREFETCHABLE = ROUTES.filter((each) => !each.refusesPrefetch);
export const WITH_TOKEN = ROUTES.filter(({ needsToken }) => needsToken);
