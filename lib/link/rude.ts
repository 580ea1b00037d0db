// Words of several languages that can be spelled without I and O, three to six letters long. A code that holds one is drawn again.
const WORDS = [
  ["ANAL", "ANUS", "ARSCH", "ARSE", "ASS", "BUM", "BUTT", "CRAP", "CUL", "CUM", "CUNT", "DAMN", "DAMMT", "DEPP", "FAG", "FART", "FCK", "FKK"],
  ["FTZE", "FUCK", "FUK", "FUT", "FUX", "GAY", "HASS", "HATE", "HELL", "HRN", "HURE", "JAP", "JEW", "JUDE", "KACK", "KKE", "KKK", "KUNT", "KYS"],
  ["LESB", "LULA", "MERDA", "MERDE", "MRD", "NAZ", "NEGER", "NEGR", "NGR", "NUTTE", "PAK", "PEE", "PEN", "PHUK", "PHUC", "PUSSY", "PUTA", "PUTE"],
  ["RAPE", "SAU", "SATAN", "SEX", "SHT", "SLUT", "SPAST", "SUCK", "SUKA", "SUX", "TARD", "TRANNY", "TURD", "TWAT", "VAGA", "WANK", "WHRE", "XXX"],
].flat();

/** Whether the letters, in upper case, hold a word that nobody wants to read out. */
export function isRude(letters: string): boolean {
  return WORDS.some((word) => letters.includes(word));
}
