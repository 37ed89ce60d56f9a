import { connect, createServer, type Socket } from 'node:net';

/** A TCP load balancer: connects each client to the first server that accepts. */
export interface Balancer {
  /** Sets the servers, as host:port. */
  to(addresses: readonly string[]): void;
  close(): Promise<void>;
}

export async function openBalancer(port: number): Promise<Balancer> {
  let servers: readonly string[] = [];
  const open = new Set<Socket>();
  const server = createServer((near) => pass(near, servers, open));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    to: (addresses) => {
      servers = addresses;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function pass(near: Socket, [first, ...others]: readonly string[], open: Set<Socket>): void {
  const [host = '', port = ''] = first?.split(':') ?? [];
  if (first === undefined) {
    near.destroy();
    return;
  }
  const far = connect(Number(port), host);
  far.once('error', () => pass(near, others, open));
  far.once('connect', () => {
    far.removeAllListeners('error');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
}
