import { common, createLowlight } from "lowlight";
import { createElement, type ReactNode } from "react";
import styles from "./content.module.css";

const highlighter = createLowlight(common);
type Node = ReturnType<typeof highlighter.highlight>["children"][number];

export type CodeLanguage = "bash" | "javascript" | "json" | "python" | "xml" | "plaintext";

/** What is coloured, by the highlighter's name for it: three kinds are enough to read by. */
const COLORED: Record<string, string | undefined> = {
  "hljs-comment": styles.comment,
  "hljs-string": styles.value,
  "hljs-number": styles.value,
  "hljs-literal": styles.value,
  "hljs-keyword": styles.word,
  "hljs-built_in": styles.word,
  "hljs-attr": styles.word,
  "hljs-attribute": styles.word,
  "hljs-name": styles.word,
};

/** A program or a response with its colours, made on the server: the browser gets no script for it. */
export function ColoredCode({
  text,
  language,
  className,
}: {
  text: string;
  language: CodeLanguage;
  className?: string;
}) {
  const parts = colored(highlighter.highlight(language, text).children);
  return (
    <pre translate="no" className={className ? `${styles.code} ${className}` : styles.code}>
      {createElement("code", { translate: "no" }, ...parts)}
    </pre>
  );
}

function colored(nodes: Node[]): ReactNode[] {
  return nodes.flatMap((node) => {
    if (node.type === "text") return [node.value];
    if (node.type !== "element") return [];
    const within = colored(node.children as Node[]);
    const className = COLORED[String([node.properties.className].flat()[0])];
    return className ? [createElement("span", { className }, ...within)] : within;
  });
}
