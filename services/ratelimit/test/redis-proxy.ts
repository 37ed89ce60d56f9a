import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '@gatehouse/dev-env/free-port';

/** A proxy to Redis that can be cut and stopped. */
export interface RedisProxy {
  readonly url: string;
  /** Connections break, and new ones are refused. */
  cut(): Promise<void>;
  /** No bytes arrive, and connections stay open. */
  hang(): void;
  /** Passes bytes again; held bytes arrive late. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function redisProxy(target: string): Promise<RedisProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let hanging = false;
  let server: Server | undefined;
  const listening = await freePort(); // nobody takes it between `cut` and `restore`

  function serve(client: Socket): void {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (hanging) from.pause();
    }
  }

  async function listen(): Promise<void> {
    const opened = createServer(serve);
    await new Promise<void>((resolve) => opened.listen(listening, '127.0.0.1', resolve));
    server = opened;
  }

  async function cut(): Promise<void> {
    const closing = server;
    server = undefined;
    if (closing === undefined) return;
    const closed = new Promise((resolve) => closing.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  await listen();
  return {
    url: `redis://127.0.0.1:${listening}`,
    cut,
    hang: () => {
      hanging = true;
      for (const socket of sockets) socket.pause();
    },
    restore: async () => {
      hanging = false;
      for (const socket of sockets) socket.resume();
      if (server === undefined) await listen();
    },
    close: cut,
  };
}
