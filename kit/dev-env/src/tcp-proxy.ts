import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** The URL of the server through the proxy. */
  through(url: string): string;
  /** Closes every connection, and each new one. */
  cut(): void;
  /** Drops all further bytes of the current connections, silently. */
  freeze(): void;
  restore(): void;
  close(): void;
}

/** A TCP proxy to one server that can be cut and restored. The default port is PostgreSQL's. */
export async function startTcpProxy(): Promise<TcpProxy> {
  let target = new URL('tcp://127.0.0.1');
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    through: (url) => {
      target = new URL(url);
      const near = new URL(url);
      near.hostname = '127.0.0.1';
      near.port = String(port);
      return near.href;
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    restore: () => {
      isCut = false;
    },
    close: () => server.close(),
  };
}
