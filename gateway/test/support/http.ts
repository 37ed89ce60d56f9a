import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';

export interface SendOptions {
  /** Several values are sent as several headers. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Bytes or text, unchanged, or an object as JSON. */
  readonly body?: string | Uint8Array | object;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  json<T = Record<string, unknown>>(): T;
}

export interface HttpClient {
  send(line: string, options?: SendOptions): Promise<Answer>;
  close(): void;
}

/** An HTTP client that sends everything unchanged. */
export function httpClient(host: string, port: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  return {
    send: (line, { headers = {}, body } = {}) => {
      const [method = '', target = ''] = line.split(' ');
      const path = target.startsWith('//') ? target.slice(1) : `/api/v1${target}`;
      const bytes = bytesOf(body);
      return new Promise((resolve, reject) => {
        const request = httpRequest({ host, port, agent, method, path, headers: flat(host, headers, bytes) });
        request.on('response', (response) => void answerOf(response).then(resolve, reject));
        request.on('error', reject);
        request.end(bytes);
      });
    },
    close: () => agent.destroy(),
  };
}

function bytesOf(body: SendOptions['body']): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Names and values alternate: so Node sends repeated headers separately. */
function flat(
  host: string,
  headers: NonNullable<SendOptions['headers']>,
  bytes: Uint8Array | undefined,
): string[] {
  const list = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [name, value]),
  );
  const hasHost = list.some((name, index) => index % 2 === 0 && name?.toLowerCase() === 'host');
  const length = bytes === undefined ? [] : ['Content-Length', String(bytes.length)];
  return [...(hasHost ? [] : ['Host', host]), ...list, ...length] as string[];
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    headers.append(response.rawHeaders[index] ?? '', response.rawHeaders[index + 1] ?? '');
  }
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString('utf8');
  return { status: response.statusCode ?? 0, headers, bytes, text, json: () => JSON.parse(text) };
}
