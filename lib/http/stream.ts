/**
 * A body from an async generator: it is asked for the next chunk only when the client took the last one, and told when the
 * client goes away. An error cuts the connection. (`Readable.toWeb` throws an uncaught exception on some aborts.)
 */
export function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
