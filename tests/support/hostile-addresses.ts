import { type HostileRequest, HTML, hostile, times } from "./hostile-request";

/** The parameters of an address: Next compares each with all others. */
export const hostileAddresses: HostileRequest[] = [
  hostile("16,000 equal parameters of a page", "page", 414, () => ({
    target: `/signin?${times(16_000, () => "a=1", "&")}`,
    headers: [HTML],
  })),
  hostile("62,500 equal parameters of a page", "page", 414, () => ({
    target: `/signin?${times(62_500, () => "a=1", "&")}`,
    headers: [HTML],
  })),
  hostile("4,000 parameters of one letter", "page", 400, () => ({
    target: `/signin?${times(4_000, () => "a", "&")}`,
    headers: [HTML],
  })),
  hostile("4,000 separators and no parameter", "page", 400, () => ({
    target: `/?${"&".repeat(4_000)}`,
    headers: [HTML],
  })),
  hostile("800 parameters that Next takes for its own", "page", 400, () => ({
    target: `/?${times(800, () => "nxtPa=1", "&")}`,
    headers: [HTML],
  })),
  hostile("700 different parameters", "page", 400, () => ({
    target: `/?${times(700, (index) => `p${index}=1`, "&")}`,
    headers: [HTML],
  })),
  hostile("a page's data with 2,000 parameters", "page", 400, () => ({
    target: `/?${times(2_000, () => "b=", "&")}`,
    headers: ["RSC: 1"],
  })),
  hostile("2,000 parameters of an unknown page", "page", 400, () => ({
    target: `/nothing?${times(2_000, () => "a=", "&")}`,
    headers: [HTML],
  })),
  hostile("2,000 parameters of an asset", "asset", 400, () => ({
    target: `/_next/static/a.js?${times(2_000, () => "a=", "&")}`,
  })),
  hostile("2,000 parameters of signing in", "auth", 400, () => ({
    target: `/api/auth/session?${times(2_000, () => "a=", "&")}`,
  })),
  hostile("2,000 parameters of the files page", "files", 400, () => ({
    target: `/files/content?${times(2_000, () => "a=", "&")}`,
  })),
  hostile("130,000 parameters of the API", "api", undefined, () => ({
    target: `/me?${times(130_000, () => "a", "&")}`,
  })),
  hostile("130,000 separators of the API", "api", undefined, () => ({ target: `/me?${"&".repeat(260_000)}` })),
  hostile("a path of 260,000 bytes", "page", 414, () => ({ target: `/${"a".repeat(260_000)}`, headers: [HTML] })),
  hostile("a path of 130,000 segments", "page", 414, () => ({ target: "/a".repeat(130_000), headers: [HTML] })),
  hostile("a path of 86,000 escapes of plain letters", "api", 414, () => ({
    target: `/keys/get/${"%41".repeat(86_000)}`,
  })),
  hostile("130,000 slashes", "page", 414, () => ({ target: "/".repeat(130_000), headers: [HTML] })),
  hostile("130,000 question marks", "api", undefined, () => ({ target: `/me?${"?".repeat(130_000)}` })),
  hostile("a method that nobody knows", "page", 405, () => ({ method: "PROPFIND", target: "/", headers: [HTML] })),
  hostile("TRACE of a page", "page", 405, () => ({ method: "TRACE", target: "/", headers: [HTML] })),
];
