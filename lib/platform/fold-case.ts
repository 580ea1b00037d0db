/**
 * Unicode's simple case folding: the mappings of the statuses C and S in CaseFolding.txt, version 17.0, beyond ASCII.
 * Each run is "first count step" (step 2 if a plus follows the count) and the offset to add, all in base 36. The table
 * is copied here because the index of stored documents depends on it: the engine's own tables grow with every version
 * of Node. (A test compares them.)
 */
const RUNS = [
  "51 1 lj,5c n w,60 7 w,74 o+ 1,8i 3+ 1,8p 8+ 1,96 n+ 1,ag 1 -3d,ah 3+ 1,an 1 -7g,ap 1 5u,aq 2+ 1,au " +
    "1 5q,av 1 1,ax 2 5p,az 1 1,b2 1 27,",
  "b3 1 5m,b4 1 5n,b5 1 1,b7 1 5p,b8 1 5r,ba 1 5v,bb 1 5t,bc 1 1,bg 1 5v,bh 1 5x,bj 1 5y,bk 3+ 1,bq 1 " +
    "62,br 1 1,bt 1 62,bw 1 1,by 1 62,bz 1 1,",
  "c1 2 61,c3 2+ 1,c7 1 63,c8 1 1,cc 1 1,ck 1 2,cl 1 1,cn 1 2,co 1 1,cq 1 2,cr 9+ 1,da 9+ 1,dt 1 2,du " +
    "2+ 1,dy 1 -2p,dz 1 -1k,e0 k+ 1,f4 1 -3m,",
  "f6 9+ 1,fu 1 8bv,fv 1 1,fx 1 -4j,fy 1 8bs,g1 1 1,g3 1 -5f,g4 1 1x,g5 1 1z,g6 5+ 1,n9 1 38,og 2+ " +
    "1,om 1 1,ov 1 38,p2 1 12,p4 3 11,p8 1 1s,",
  "pa 2 1r,pd h w,pv 9 w,qq 1 1,r3 1 8,r4 1 -u,r5 1 -p,r9 1 -f,ra 1 -m,rc c+ 1,s0 1 -1i,s1 1 -1c,s4 1 " +
    "-1o,s5 1 -1s,s7 1 1,s9 1 -7,sa 1 1,",
  "sd 3 -3m,sg g 28,sw w w,v4 h+ 1,wa r+ 1,xs 1 f,xt 7+ 1,y8 1c+ 1,10x 12 1c,3a8 12 5ls,3bb 1 5ls,3bh " +
    "1 5ls,3y0 6 -8,5mo 1 -4su,5mp 1 -4st,",
  "5mq 1 -4sk,5mr 2 -4si,5mt 1 -4sj,5mu 1 -4sc,5mv 1 -4ro,5mw 1 r7n,5mx 1 1,5n4 17 -2bk,5od 3 -2bk,5xc " +
    "23+ 1,61n 1 -1m,61q 1 -5vj,61s 1c+ 1,",
  "64o 8 -8,654 6 -8,65k 8 -8,660 8 -8,66g 6 -8,66x 4+ -8,67c 8 -8,688 8 -8,68o 8 -8,694 8 -8,69k 2 " +
    "-8,69m 2 -22,69o 1 -9,69q 1 -5j9,6a0 4 -2e,",
  "6a4 1 -9,6ab 1 -5kz,6ag 2 -8,6ai 2 -2s,6ar 1 -5kj,6aw 2 -8,6ay 2 -34,6b0 1 -7,6bc 2 -3k,6be 2 " +
    "-3i,6bg 1 -9,6jq 1 -5st,6ju 1 -6gv,6jv 1 -6di,",
  "6k2 1 s,6lc g g,6mb 1 1,792 q q,8ow 1c 1c,8rk 1 1,8rm 1 -8af,8rn 1 -2xy,8ro 1 -89z,8rr 3+ 1,8rx 1 " +
    "-8bg,8ry 1 -8al,8rz 1 -8bj,8s0 1 -8bi,",
  "8s2 1 1,8s5 1 1,8se 2 -8cf,8sg 1e+ 1,8vf 2+ 1,8vm 1 1,wu8 n+ 1,ww0 e+ 1,x0i 7+ 1,x0y v+ 1,x2x 2+ " +
    "1,x31 1 -r9g,x32 5+ 1,x3f 1 1,x3h 1 -wmg,",
  "x3k 2+ 1,x3q a+ 1,x4a 1 -wn8,x4b 1 -wnj,x4c 1 -wnf,x4d 1 -wn5,x4e 1 -wn8,x4g 1 -wlu,x4h 1 -wmi,x4i " +
    "1 -wlx,x4j 1 ps,x4k 8+ 1,x50 1 -1c,",
  "x51 1 -wn7,x52 1 -raw,x53 2+ 1,x57 1 -wo7,x58 8+ 1,x5o 1 -wu9,x6d 1 1,xv4 28 -tzk,1dl1 1 1,1ee9 q " +
    "w,1fcw 14 14,1fhs 10 14,1fn4 b 13,",
  "1fng f 13,1fnw 7 13,1fo4 2 13,1h1c 1f 1s,1h74 m w,1jfk w w,20cg w w,20f4 p r,2olc y y",
].join("");

const FOLDS = new Map<string, string>();
for (let letter = 65; letter <= 90; letter++) FOLDS.set(String.fromCharCode(letter), String.fromCharCode(letter + 32));
for (const run of RUNS.split(",")) {
  const [first = "", count = "", added = ""] = run.split(" ");
  const step = count.endsWith("+") ? 2 : 1;
  for (let n = 0; n < Number.parseInt(count, 36); n++) {
    const point = Number.parseInt(first, 36) + n * step;
    FOLDS.set(String.fromCodePoint(point), String.fromCodePoint(point + Number.parseInt(added, 36)));
  }
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * `text` case-folded by Unicode's simple case folding, one character for one: its length stays, whatever the locale.
 * Neither normalised (NFC) nor folded to several letters: "ß" is not "ss". Two locations with the same fold are the
 * same location.
 */
export function foldCase(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  let folded = "";
  for (const character of text) folded += FOLDS.get(character) ?? character;
  return folded;
}

/** The letters i of Turkish: capital with a dot (decomposed) and small without. */
const TURKISH = /i\u0307|\u0131/g;

/**
 * `text` as a search compares it: two texts are alike if only case, composition (NFC, NFD) or compatibility (NFKC, such
 * as full width) tells them apart. Accents count, and "ß" is "ẞ" but not "ss". The four letters i of Turkish are one,
 * whatever the language of the text.
 */
export function searchable(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return foldCase(text.normalize("NFKD")).replace(TURKISH, "i").normalize("NFKC");
}

/** Whether a text has only characters that every database folds alike. */
export const isAscii = (text: string): boolean => !BEYOND_ASCII.test(text);
