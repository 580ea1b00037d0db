import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Requests of one connection that may wait behind the one in work. No client that we know sends more. */
const MAX_WAITING = 16;

/** The requests of a connection that wait. */
interface Line {
  waiting: number;
  /** The response to the last of them. */
  last: ServerResponse;
  /** The connection ends after that response. */
  isEnding: boolean;
}

const lines = new WeakMap<Duplex, Line>();

/**
 * Handles one request of a connection at a time: the next one begins when the client has taken the response. Node would
 * begin all that one packet brought. While requests wait, nothing further is read. More than a few end the connection,
 * after the responses to those few (contract, section 1: pipelining).
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  return (request, response) => {
    // Node gives the connection to the first unfinished response, and then to one after the other.
    if (response.socket !== null) handle(request, response);
    else wait(request, response, handle);
  };
}

function wait(request: IncomingMessage, response: ServerResponse, handle: RequestListener): void {
  const { socket } = request;
  const line = lineOf(socket, response);
  if (line.isEnding) return;
  if (line.waiting === MAX_WAITING) {
    end(socket, line);
    stopParsing(socket);
    return;
  }
  line.waiting++;
  line.last = response;
  socket.pause();
  response.once("socket", () => {
    line.waiting--;
    if (line.waiting === 0 && !line.isEnding) socket.resume();
    // In another turn of the event loop, so that a line of quick responses is not one long step.
    setImmediate(() => {
      if (!socket.destroyed) handle(request, response);
    });
  });
}

/**
 * Ends a connection after the responses that it still expects, if what came behind those requests is not one. False if
 * it expects none: then the error may be reported.
 */
export function endAfterResponses(socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean {
  const inWork = socket._httpMessage;
  if (!inWork?.req.complete) return false;
  const line = lineOf(socket, inWork);
  if (!line.isEnding) end(socket, line);
  return true;
}

function lineOf(socket: Duplex, last: ServerResponse): Line {
  const existing = lines.get(socket);
  if (existing && existing.waiting > 0) return existing;
  const line = existing ?? { waiting: 0, last, isEnding: false };
  line.last = last;
  // Node continues to read after each complete request, and when a response was read.
  if (!existing) socket.on("resume", () => (line.waiting > 0 || line.isEnding) && socket.pause());
  lines.set(socket, line);
  return line;
}

function end(socket: Duplex, line: Line): void {
  line.isEnding = true;
  socket.pause();
  if (line.last.headersSent) line.last.once("finish", () => socket.end(() => socket.destroy()));
  else line.last.setHeader("Connection", "close");
}

/**
 * Node parses all that it has read, thousands of requests. This makes its parser take the next one for the end of HTTP.
 * A version that has no such function parses the rest for nothing.
 */
function stopParsing(socket: Duplex & { parser?: { onIncoming: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
}
