import type { Socket } from 'node:net';

/** Is told of what was passed on, either way. */
export type OnBytes = (bytes: number) => void;

/** After one side has sent its last, the other has so long. */
const HALF_OPEN_MS = 30_000;
/** Longer than a WebSocket is quiet for between heartbeats. */
const IDLE_MS = 120_000;

/**
 * Passes on what each side sends, no faster than the other takes it, and that it has ended. When one fails, both are
 * gone, and when the client neither sends nor takes a byte for `idle_ms`: while it takes nothing, nobody would hear that
 * the upstream has closed. Resolves when both have closed.
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

/** As `joinSockets`, but drops what the client still sends: the upstream has refused it. */
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
  await Promise.all([closeBoth(client, upstream), closeBoth(upstream, client)]);
  clearTimeout(halfOpen);
}

/** Once one side has closed, closes the other: at once, or when it has got what the one sent before it ended. */
async function closeBoth(one: Socket, other: Socket): Promise<void> {
  const hadError = await closed(one);
  if (hadError || !one.readableEnded)
    other.resetAndDestroy(); // an end would look like one that was meant
  else other.destroySoon();
}

/** Whether with an error. */
function closed(socket: Socket): Promise<boolean> {
  if (socket.closed) return Promise.resolve(socket.errored !== null);
  return new Promise((resolve) => socket.once('close', resolve));
}
