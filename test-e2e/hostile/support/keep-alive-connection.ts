import type { Target } from '../attacks/attack.ts';
import { type ResponseHead, responseParser } from './response-parser.ts';
import { connectFrom } from './wire.ts';

/** A keep-alive connection with one request at a time. */
export interface KeepAliveConnection {
  /** Undefined if the connection ended, or on a timeout. */
  ask(
    method: string,
    path: string,
    body?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ResponseHead | undefined>;
  close(): void;
}

const ANSWER_WITHIN_MS = 30_000;

export async function openKeepAliveConnection(
  target: Target,
  from: string,
): Promise<KeepAliveConnection | undefined> {
  const socket = await connectFrom(target, from);
  if (socket === undefined) return undefined;
  let settle: (answer: ResponseHead | undefined) => void = () => undefined;
  const reader = responseParser((answer) => settle(answer));
  socket.on('data', (bytes: Buffer) => reader.read(bytes.toString('latin1')));
  socket.once('end', () => socket.destroy());
  socket.once('close', () => settle(undefined));
  socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy());
  return {
    ask: (method, path, body = '', headers = {}) =>
      new Promise((resolve) => {
        if (!socket.writable) return resolve(undefined);
        settle = resolve;
        const fields = { host: 'gatehouse', 'content-type': 'application/json', ...headers };
        const lines = Object.entries({ ...fields, 'content-length': String(Buffer.byteLength(body)) });
        const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
        socket.write(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
      }),
    close: () => socket.destroy(),
  };
}
