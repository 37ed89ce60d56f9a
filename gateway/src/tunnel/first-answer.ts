import { once } from 'node:events';
import type { Socket } from 'node:net';
import { deadlineExceeded, unavailable } from '@gatehouse/kit/fault';

const CONNECT_TIMEOUT_MS = 2_000;
const ANSWER_TIMEOUT_MS = 5_000;
/** The length of `HTTP/1.1 101`. */
const STATUS_BYTES = 12;

/**
 * Sends the head of a request once the socket is connected, and waits for the status of the answer, which stays in
 * the socket.
 *
 * @throws SERVICE_UNAVAILABLE, GATEWAY_TIMEOUT
 */
export async function firstAnswer(socket: Socket, head: Buffer, signal: AbortSignal): Promise<number> {
  try {
    await once(socket, 'connect', { signal: bounded(signal, CONNECT_TIMEOUT_MS) });
    socket.write(head);
    return await statusOf(socket, bounded(signal, ANSWER_TIMEOUT_MS));
  } catch (error) {
    socket.destroy();
    throw isTimeout(error) ? deadlineExceeded(error) : unavailable(error);
  }
}

function bounded(signal: AbortSignal, ms: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}

function isTimeout(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.name === 'TimeoutError';
}

async function statusOf(socket: Socket, signal: AbortSignal): Promise<number> {
  let bytes: Buffer = Buffer.alloc(0);
  while (bytes.length < STATUS_BYTES) {
    await once(socket, 'readable', { signal });
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) throw new Error('the connection was closed without an answer');
    bytes = Buffer.concat([bytes, chunk]);
  }
  const [, status] = /^HTTP\/1\.1 ([1-5]\d\d)/.exec(bytes.toString('latin1', 0, STATUS_BYTES)) ?? [];
  if (status === undefined) throw new Error('the answer is not HTTP');
  socket.unshift(bytes);
  return Number(status);
}
