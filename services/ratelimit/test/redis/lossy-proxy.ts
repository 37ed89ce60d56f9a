import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface LossyProxy {
  readonly port: number;
  /** Drops the next answer with its connection; later ones pass. */
  loseNextAnswer(): void;
  /** The number of dropped answers. */
  lost(): number;
  close(): Promise<void>;
}

/** A proxy to a server on loopback that can drop the answer to a command that was run. */
export async function lossyProxy(port: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>();
  let losing = false;
  let lost = 0;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => {
      if (!losing) return void near.write(data);
      losing = false;
      lost++;
      near.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    loseNextAnswer: () => {
      losing = true;
    },
    lost: () => lost,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
