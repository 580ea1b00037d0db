// The types of the modules in JavaScript that TypeScript imports.

declare module "*/build-plan.mjs" {
  interface Plan {
    isSmall: boolean;
    workers: number;
  }
  export function planBuild(bytes: number, processors: number): Plan;
  export function stepsOf(
    plan: Plan,
    environment?: Record<string, string | undefined>,
  ): { command: string[]; variables: Record<string, string> }[];
  export function lacksMemory(code: number | null, signal: string | null, printed: string): boolean;
  export const MEMORY_ADVICE: string;
}

declare module "*/bundled.mjs" {
  export function bundleOf(script: string, define?: Record<string, string>): Promise<string>;
  export function bundled(script: string): Promise<string>;
}

declare module "*/clients/bundle.mjs" {
  /** The client in one module, minified. */
  export function clientModule(): Promise<string>;
  /** The types of the client in one file. */
  export function clientTypes(): string;
}
