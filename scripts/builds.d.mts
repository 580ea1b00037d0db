/** See builds.mjs. */
export function upToDateBuild(beforeBuilding?: () => void): Promise<string>;
