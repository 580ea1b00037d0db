import { routes } from "@/app/(api)/routes";
import { type SampleVariables, samplesOf } from "@/lib/api/samples";
import { SampleTabs } from "./sample-tabs";

interface RouteSamplesProps {
  path: keyof typeof routes;
  origin: string;
  variables?: SampleVariables;
}

/** The sample of one route, as the reference shows it but for what it reads from variables. */
export function RouteSamples({ path, origin, variables }: RouteSamplesProps) {
  const declaration = routes[path]?.GET.declaration;
  if (!declaration) throw new Error(`There is no route ${path}.`);
  return <SampleTabs samples={samplesOf(declaration, origin, undefined, variables)} />;
}
