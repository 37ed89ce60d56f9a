import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that records the bytes sent to a server. */
export interface Recorder {
  /** host:port. */
  readonly address: string;
  /** The bytes sent since the last call. */
  take(): Buffer;
  close(): void;
}

export async function recorder(target: { host: string; port: number }): Promise<Recorder> {
  const sent: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.setNoDelay();
    }
    client.on('data', (chunk: Buffer) => sent.push(chunk));
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the recorder has no port');
  return {
    address: `127.0.0.1:${address.port}`,
    take: () => Buffer.concat(sent.splice(0)),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends bytes and waits until the server has answered all of them, which a final ECHO shows. */
export async function replay(target: { host: string; port: number }, bytes: Buffer): Promise<void> {
  const socket = connect(target);
  const end = `the end ${Math.random()}`;
  await new Promise<void>((resolve, reject) => {
    let tail = '';
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      tail = (tail + chunk.toString('latin1')).slice(-200);
      if (tail.includes(end)) resolve();
    });
    socket.write(bytes);
    socket.write(`*2\r\n$4\r\nECHO\r\n$${end.length}\r\n${end}\r\n`);
  });
  socket.destroy();
}
