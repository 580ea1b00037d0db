/** Rows for a person to read: columns as wide as their longest cell, two spaces apart, numbers to the right. */
export function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === "number" ? cell.toLocaleString("en") : cell)));
  const widths = heads.map((head, column) => Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const isNumber = (column: number) => rows.length > 0 && rows.every((row) => typeof row[column] === "number");
  return [heads, ...cells]
    .map((row) =>
      row
        .map((cell, column) =>
          isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
