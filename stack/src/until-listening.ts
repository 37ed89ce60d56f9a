import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL_MS = 50;

/** Waits until a process on this machine listens on a port: for one that the edge does not call. */
export async function untilListening(
  name: string,
  port: number,
  within_ms: number,
  signal?: AbortSignal,
): Promise<void> {
  const until = performance.now() + within_ms;
  while (performance.now() < until) {
    signal?.throwIfAborted();
    if (await listens(port)) return;
    await sleep(POLL_INTERVAL_MS);
  }
  throw new Error(`${name} does not listen after ${within_ms / 1000} s`);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
