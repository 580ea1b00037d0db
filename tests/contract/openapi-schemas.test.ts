import { describe, expect, test } from "vitest";
import { z } from "zod";
import { TOKEN } from "@/lib/http/example-values";
import { type Answer, ask } from "@/tests/support/http";
import { assemble, BEFORE, described, type Operation, operations, replay, requestOf, swap } from "./described";

describe("nothing is answered that is not described", () => {
  const odd = ["", "0", "-1", "x".repeat(200), "ß", "\0", "../..", "true", "1e5", "[]", "%", "admin"];

  /** The statuses and bodies that a route may answer, as schemas. */
  function schemaFor({ responses }: Operation, status: number): z.ZodType | undefined {
    const response = responses[String(status)];
    expect(response, `status ${status} is not described`).toBeDefined();
    const schema = response?.content?.["application/json"].schema;
    if (!schema) return undefined;
    const local = JSON.stringify({ ...schema, $defs: described.components.schemas }).replaceAll(
      "#/components/schemas/",
      "#/$defs/",
    );
    return z.fromJSONSchema(JSON.parse(local));
  }

  test.each(operations)("%s, whatever is asked", async (path, operation) => {
    const cast = await assemble();
    await BEFORE[path]?.(cast);
    const answers: Answer[] = [await replay(cast, path, operation)];
    for (const method of ["POST", "PUT", "DELETE", "PATCH"])
      answers.push(await ask(swap(requestOf(path, operation, undefined).target, cast.words), { method }));
    for (const { name, in: place } of operation.parameters)
      for (const value of odd.filter((one) => place === "query" || one !== ""))
        answers.push(await replay(cast, path, operation, { [name]: value }));
    for (const token of ["", "x", cast.bob.token])
      answers.push(await replay({ ...cast, words: [[TOKEN, token], ...cast.words] }, path, operation));
    const { target, query } = requestOf(path, operation, cast.alice.token);
    const headers: Record<string, string>[] = [
      { Range: "bytes=0-4" },
      { Range: "bytes=99999999-" },
      { "If-None-Match": "*" },
      { "Accept-Encoding": "gzip" },
      { "Sec-Fetch-Mode": "no-cors" },
    ];
    for (const header of headers) answers.push(await ask(swap(target, cast.words), { query, headers: header }));
    for (const answer of answers) {
      const schema = schemaFor(operation, answer.status);
      if (answer.headers["content-encoding"] || answer.status === 304 || answer.status === 206) continue;
      const parsed = schema?.safeParse(JSON.parse(answer.text));
      expect(parsed?.success, `${answer.status} ${answer.text.slice(0, 300)}\n${parsed?.error}`).toBe(true);
    }
  });
});
