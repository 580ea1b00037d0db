import { expect, test, vi } from "vitest";
import { openSockets } from "@/tests/support/sockets";
import { startWithOneUser } from "./one-user";

// The service reads headers for 20 s and looks every 30 s; a connection that was used stays for 75 s.

const own = startWithOneUser();

test("1,000 connections on which nothing happens keep nobody from an answer, and are closed", async () => {
  const silent = await openSockets(500, own.service.url);
  const used = await openSockets(500, own.service.url, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const answered = () => used.filter(({ received }) => received().startsWith("HTTP/1.1 200"));
  await vi.waitFor(() => expect(answered()).toHaveLength(500), 30_000);
  await own.expectAnswers();
  await Promise.all([...silent, ...used].map(({ closed }) => closed));
  await own.expectAnswers();
});
