export function bundleOf(script: string, define?: Record<string, string>): Promise<string>;
export function bundled(script: string): Promise<string>;
