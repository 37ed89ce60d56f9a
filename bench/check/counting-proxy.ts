import { connect, createServer, type Socket } from 'node:net';

/** The bytes of one direction of an HTTP/2 connection, and its DATA frames: one for each frame of the call stream. */
export interface Sent {
  readonly bytes: number;
  readonly frames: number;
}

/** A TCP proxy that counts what client and server send. */
export interface Wire {
  /** host:port. */
  readonly address: string;
  /** The counts since the last call. */
  take(): { readonly client: Sent; readonly server: Sent };
  close(): void;
}

const PREFACE_BYTES = 24;
const HEADER_BYTES = 9;
const DATA = 0;

export async function countingProxy(target: string): Promise<Wire> {
  const { hostname: host, port } = new URL(`http://${target}`);
  const sockets = new Set<Socket>();
  const directions: { client: FrameCounter; server: FrameCounter }[] = [];
  const server = createServer((client) => {
    const upstream = connect({ host, port: Number(port) });
    const counters = { client: new FrameCounter(PREFACE_BYTES), server: new FrameCounter(0) };
    directions.push(counters);
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay());
      socket.on('error', () => undefined);
    }
    client.on('data', (chunk: Buffer) => counters.client.read(chunk));
    upstream.on('data', (chunk: Buffer) => counters.server.read(chunk));
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    address: `127.0.0.1:${address.port}`,
    take: () => ({
      client: sum(directions.map(({ client }) => client.take())),
      server: sum(directions.map(({ server }) => server.take())),
    }),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Reads the headers of HTTP/2 frames, and skips the rest. */
class FrameCounter {
  #bytes = 0;
  #frames = 0;
  #skip: number;
  #header = Buffer.alloc(0);

  constructor(skip: number) {
    this.#skip = skip;
  }

  read(chunk: Buffer): void {
    this.#bytes += chunk.length;
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(this.#skip, chunk.length - at);
      this.#skip -= skipped;
      at += skipped;
      const part = chunk.subarray(at, at + HEADER_BYTES - this.#header.length);
      at += part.length;
      this.#header = Buffer.concat([this.#header, part]);
      if (this.#header.length < HEADER_BYTES) return;
      if (this.#header[3] === DATA) this.#frames++;
      this.#skip = this.#header.readUIntBE(0, 3);
      this.#header = Buffer.alloc(0);
    }
  }

  take(): Sent {
    const sent = { bytes: this.#bytes, frames: this.#frames };
    this.#bytes = 0;
    this.#frames = 0;
    return sent;
  }
}

function sum(all: readonly Sent[]): Sent {
  return all.reduce((a, b) => ({ bytes: a.bytes + b.bytes, frames: a.frames + b.frames }), {
    bytes: 0,
    frames: 0,
  });
}
