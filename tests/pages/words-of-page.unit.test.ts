import { expect, test } from "vitest";
import { wordsOfPage } from "@/scripts/words-of-page.mjs";

test("the words of a page are those of its texts, each once, without imports and attributes", () => {
  const page = `
    import { Unseen } from "./unseen";
    const ROWS = [["1", "type: .txt"]];
    export default function Page({ origin }) {
      return <p className="unseen">Keep the token. <a href="/unseen">It isn&apos;t the password</a>
        <code>{"no_files"}</code>
        <Unseen command={\`\${origin} unseen\`} /> keep it</p>;
    }`;
  expect(wordsOfPage(page)).toBe("isn't it keep no_files password the token txt type");
});
