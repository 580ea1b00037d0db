// Words of several languages that can be spelled without I and O, three to six letters long. A code that contains one
// is redrawn.
const WORDS = (
  "ANAL ANUS ARSCH ARSE ASS BUM BUTT CRAP CUL CUM CUNT DAMN DEPP FAG FART FCK " +
  "FTZE FUCK FUK FUT GAY HASS HATE HELL HURE JAP JEW JUDE KACK KKK KUNT KYS " +
  "LESB MERDA MERDE NAZ NEGER NEGR NGR NUTTE PEE PHUC PHUK PUSSY PUTA PUTE RAPE SATAN " +
  "SAU SEX SHT SLUT SPAST SUCK SUKA TARD TRANNY TURD TWAT WANK WHRE XXX"
).split(" ");

/** Whether the letters, in upper case, contain a word that nobody wants to read out. */
export function isRude(letters: string): boolean {
  return WORDS.some((word) => letters.includes(word));
}
