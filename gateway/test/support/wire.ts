import { once } from 'node:events';
import { connect } from 'node:net';
import type { Edge } from './edge.ts';
import type { Answer } from './http.ts';

const TIMEOUT_MS = 10_000;

/** A bare connection, for bytes that no HTTP client would send. */
export interface Wire {
  write(bytes: string | Uint8Array): void;
  /** Ends its side, and still reads. */
  end(): void;
  /** The next answer; an error if it does not arrive in time. */
  answer(options?: { readonly bodiless?: boolean }): Promise<Answer>;
  /** Resolves when the other side has closed. */
  closed(): Promise<void>;
  destroy(): void;
  /** Closes both sides at once, without reading the rest. */
  reset(): void;
}

export async function wire({ host, port }: Pick<Edge, 'host' | 'port'>): Promise<Wire> {
  const socket = connect(port, host);
  let received: Buffer = Buffer.alloc(0);
  let isClosed = false;
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
  });
  // A server that refuses early may reset the connection while we still send; its earlier answer counts.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  await once(socket, 'connect');

  async function moreBytesOrClose(): Promise<void> {
    if (isClosed)
      throw new Error(`the connection was closed after ${JSON.stringify(received.toString('latin1'))}`);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    await Promise.race([once(socket, 'data', { signal }), once(socket, 'close', { signal })]);
  }

  return {
    write: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    answer: async ({ bodiless = false } = {}) => {
      for (;;) {
        const next = parse(received, bodiless);
        if (next !== undefined) {
          received = received.subarray(next.bytes);
          if (next.answer.status >= 200) return next.answer;
        } else await moreBytesOrClose();
      }
    },
    closed: async () => {
      if (!isClosed) await once(socket, 'close', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    },
    destroy: () => socket.destroy(),
    reset: () => socket.resetAndDestroy(),
  };
}

/** Sends bytes on a new connection and returns the one answer. */
export async function raw(edge: Pick<Edge, 'host' | 'port'>, bytes: string | Uint8Array): Promise<Answer> {
  const connection = await wire(edge);
  try {
    connection.write(bytes);
    return await connection.answer();
  } finally {
    connection.destroy();
  }
}

/** A request's bytes: `POST /guilds` below /api/v1, Host, these lines, and the body with its length. */
export function request(line: string, lines: readonly string[] = [], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const start = line.replace(' /', ' /api/v1/');
  return [`${start} HTTP/1.1`, 'Host: gatehouse', ...lines, ...length, '', body].join('\r\n');
}

function parse(data: Buffer, bodiless: boolean): { answer: Answer; bytes: number } | undefined {
  const end = data.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...fields] = data.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(line.split(' ')[1]);
  const headers = new Headers();
  for (const field of fields) {
    const colon = field.indexOf(':');
    headers.append(field.slice(0, colon), field.slice(colon + 1).trim());
  }
  const length = bodiless || status < 200 || status === 204 ? 0 : Number(headers.get('content-length') ?? 0);
  const bytes = end + 4 + length;
  if (data.length < bytes) return undefined;
  const body = data.subarray(end + 4, bytes);
  const text = body.toString('utf8');
  return { answer: { status, headers, bytes: body, text, json: () => JSON.parse(text) }, bytes };
}
