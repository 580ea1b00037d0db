import { z } from "zod";

const PRICE = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** The decimal as stored and returned: trailing zeros dropped (contract, section 2: price). */
export const price = z
  .string()
  .refine(isPlainDecimal, { error: ({ input }) => priceProblem(String(input)) })
  .transform((value) => String(Number(value)))
  .meta({
    description: "A plain decimal like 12, 0.5 or -1. A negative price means not for sale.",
    format: "decimal",
  });

function priceProblem(value: string): string {
  if (/^-?\d+,\d{1,2}$/.test(value)) return `must be written with a point: ${value.replace(",", ".")}`;
  if (/^-?\d[\d., ']*$/.test(value) && !PRICE.test(value))
    return "must be written like 1000 or 12.50, without commas, spaces or leading zeros";
  return PRICE.test(value) && !value.startsWith("-0")
    ? "can have 15 significant digits and 6 decimals at most"
    : "must be a plain decimal like 12 or 0.5, or -1 for not for sale";
}

function isPlainDecimal(value: string): boolean {
  if (!PRICE.test(value)) return false;
  const [integer = "", decimals = ""] = value.replace("-", "").split(".");
  const significant = `${integer}${decimals}`.replace(/^0+/, "");
  const isNegativeZero = value.startsWith("-") && significant === "";
  return decimals.length <= 6 && significant.length <= 15 && !isNegativeZero;
}
