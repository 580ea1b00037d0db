import { create as contentDisposition } from "content-disposition";
import { notFound } from "next/navigation";
import { preconditionFailed } from "@/lib/platform/errors";
import { wouldAppend } from "@/lib/platform/http/headers";
import { errorResponse } from "@/lib/platform/http/response";
import { originOf } from "@/lib/platform/network/host";
import { exampleFor, isExample } from "../../example-files";

/** A program of the documentation, to download. */
export async function GET(request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const { file } = await params;
  if (!isExample(file)) notFound();
  if (wouldAppend(request.headers)) return errorResponse(preconditionFailed(), {});
  return new Response(exampleFor(file, originOf(request)), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": contentDisposition(file, { type: "attachment" }),
      "Cache-Control": "no-cache",
    },
  });
}
