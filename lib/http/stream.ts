/**
 * A body from an async iterable, such as a generator. It pulls the next chunk only after the client took the last one,
 * and ends the iterable when the client disconnects. An error cuts the connection. (`Readable.toWeb` throws an uncaught
 * exception on some aborts.)
 */
export function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
