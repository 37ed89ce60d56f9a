import { connect } from 'node:net';
import type { Reply } from './api.ts';
import { expectResponseRules } from './response-rules.ts';

export interface RawReply extends Reply {
  /** Whether the server closed the connection after the response. */
  closed: boolean;
}

export interface RawOptions {
  /** Maximum time until the response. Default: 10 s. */
  timeout_ms?: number;
  /** Check the response against the rules for every response. Default: true. */
  checked?: boolean;
}

/** Sends raw bytes and reads one response. @throws Error if the connection hangs */
export async function raw(
  url: string,
  bytes: string | Uint8Array,
  options: RawOptions = {},
): Promise<RawReply> {
  const { data, closed } = await exchange(url, bytes, options.timeout_ms ?? 10_000);
  const reply = { ...parse(data), closed };
  if (options.checked ?? true) expectResponseRules(reply, String(bytes).slice(0, 60));
  return reply;
}

/** A request as text: request line, Host, `headers`, and the body with its Content-Length. */
export function request(line: string, headers: string[] = [], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [`${line} HTTP/1.1`, 'Host: gatehouse', ...headers, ...length, '', body].join('\r\n');
}

function exchange(
  url: string,
  bytes: string | Uint8Array,
  timeoutMs: number,
): Promise<{ data: Buffer; closed: boolean }> {
  const { hostname, port } = new URL(url);
  const bodiless = String(bytes).startsWith('HEAD ');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const end = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ data: Buffer.concat(chunks), closed });
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer in ${timeoutMs} ms to ${String(bytes).slice(0, 80)}`));
    }, timeoutMs);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (isWhole(Buffer.concat(chunks), bodiless)) end(false);
    });
    // A server may refuse early and reset the connection; its response counts.
    socket.on('error', () => {});
    socket.on('close', () => end(true));
  });
}

function isWhole(data: Buffer, bodiless: boolean): boolean {
  const text = finalAnswer(data.toString('latin1'));
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const status = Number(text.slice(9, 12));
  const length = /^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1];
  if (bodiless || status === 204 || status === 304) return true;
  if (length !== undefined) return text.length >= head + 4 + Number(length);
  return /^transfer-encoding: *chunked/im.test(text.slice(0, head)) && text.endsWith('0\r\n\r\n');
}

/** Skips interim responses (100 Continue). */
function finalAnswer(text: string): string {
  return text.startsWith('HTTP/1.1 1') ? finalAnswer(text.slice(text.indexOf('\r\n\r\n') + 4)) : text;
}

function parse(data: Buffer): Reply {
  const answer = finalAnswer(data.toString('latin1'));
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1]);
  if (!status) throw new Error(`no HTTP answer: ${JSON.stringify(answer.slice(0, 80))}`);
  const headers = new Headers();
  for (const field of fields) {
    const colon = field.indexOf(':');
    headers.append(field.slice(0, colon), field.slice(colon + 1).trim());
  }
  const text = Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString('utf8');
  return { status, headers, text, json: () => JSON.parse(text) };
}
