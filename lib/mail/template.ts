import type { Letter } from "./letters";

const ESCAPED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => String(ESCAPED[sign]));

/** The message as plain text. */
export function textOf({ paragraphs, action, end }: Letter): string {
  const parts = [...paragraphs, ...(action ? [`${action.label}:\n${action.link}`] : []), ...end, "Latchkey"];
  return `${parts.join("\n\n")}\n`;
}

/** The same as simple HTML, which loads nothing. */
export function pageOf({ subject, paragraphs, action, end }: Letter): string {
  const shown = (text: string) => `<p>${escaped(text)}</p>`;
  const link = action && escaped(action.link);
  const button =
    action &&
    `<p><a href="${link}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#1f4fd8;` +
      `color:#ffffff;text-decoration:none">${escaped(action.label)}</a></p><p>${link}</p>`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    '<body style="font-family:sans-serif;font-size:16px;line-height:1.5;max-width:36em;margin:0 auto;padding:16px">',
    ...paragraphs.map(shown),
    ...(button ? [button] : []),
    ...end.map(shown),
    "<p>Latchkey</p></body></html>",
  ].join("\n");
}
