interface Plan {
  isSmall: boolean;
  workers: number;
}
/** See build-plan.mjs. */
export function planBuild(bytes: number, processors: number): Plan;
export function stepsOf(
  plan: Plan,
  environment?: Record<string, string | undefined>,
): { command: string[]; variables: Record<string, string> }[];
export function lacksMemory(code: number | null, signal: string | null, printed: string): boolean;
export const MEMORY_ADVICE: string;
