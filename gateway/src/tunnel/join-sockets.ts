import type { Socket } from 'node:net';

/** Called with the length of each chunk that is passed on, in either direction. */
export type OnBytes = (bytes: number) => void;

/** Maximum time for which one side may send after the other has ended. */
const HALF_OPEN_MS = 30_000;
/** Longer than the time between two heartbeats of a WebSocket. */
const IDLE_MS = 120_000;

/**
 * Passes bytes and half-closes between two sockets, each no faster than the other side reads. If one fails, both are
 * closed.
 * A client that neither sends nor reads a byte for `idle_ms` is disconnected: while it reads nothing, it would not
 * notice that the upstream has closed. Resolves when both have closed.
 */
export async function joinSockets(
  client: Socket,
  upstream: Socket,
  onBytes: OnBytes,
  idle_ms = IDLE_MS,
): Promise<void> {
  client.setTimeout(idle_ms, () => client.destroy());
  client.pipe(upstream);
  client.on('data', ({ length }: Buffer) => onBytes(length));
  await passBack(client, upstream, onBytes);
}

/** Like `joinSockets`, but drops the client's bytes: the upstream has refused it. */
export async function passAnswer(client: Socket, upstream: Socket, onBytes: OnBytes): Promise<void> {
  client.resume();
  upstream.end();
  await passBack(client, upstream, onBytes);
}

async function passBack(client: Socket, upstream: Socket, onBytes: OnBytes): Promise<void> {
  upstream.pipe(client);
  upstream.on('data', ({ length }: Buffer) => onBytes(length));
  let halfOpen: NodeJS.Timeout | undefined;
  const boundHalfOpen = (): void => {
    halfOpen ??= setTimeout(() => {
      client.destroy();
      upstream.destroy();
    }, HALF_OPEN_MS);
  };
  if (client.readableEnded) boundHalfOpen();
  client.once('end', boundHalfOpen);
  upstream.once('end', boundHalfOpen);
  await Promise.all([closeAfter(client, upstream), closeAfter(upstream, client)]);
  clearTimeout(halfOpen);
}

/** Closes `second` after `first` has closed: at once after an error, otherwise when it has received all bytes. */
async function closeAfter(first: Socket, second: Socket): Promise<void> {
  const hadError = await closed(first);
  if (hadError || !first.readableEnded)
    second.resetAndDestroy(); // a FIN would look intended
  else second.destroySoon();
}

/** Resolves with whether the socket had an error. */
function closed(socket: Socket): Promise<boolean> {
  if (socket.closed) return Promise.resolve(socket.errored !== null);
  return new Promise((resolve) => socket.once('close', resolve));
}
