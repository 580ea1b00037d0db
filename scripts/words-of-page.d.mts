export function wordsOfPage(source: string): string;
