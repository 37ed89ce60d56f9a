import { DemoError } from './demo-error.ts';

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** The whole URL. */
  url: string;
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: object;
}

export interface Answer {
  status: number;
  reason: string;
  headers: Headers;
  text: string;
}

export async function send(call: Call): Promise<Answer> {
  const { method, url, body } = call;
  const response = await fetch(url, {
    method,
    headers: headersOf(call),
    signal: AbortSignal.timeout(15_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new DemoError(`No answer from ${new URL(url).origin}: ${reasonOf(error)}`);
  });
  const { status, statusText: reason, headers } = response;
  return { status, reason, headers, text: await response.text() };
}

/** The command a person would type for a call, ready to be pasted into a shell. */
export function curl(call: Call): string {
  const options = Object.entries(headersOf(call)).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  if (call.body !== undefined) options.push(`-d ${quote(JSON.stringify(call.body))}`);
  // What curl sends by itself.
  const own = call.body === undefined ? 'GET' : 'POST';
  const verb = call.method === own ? '' : `-X ${call.method} `;
  return [`curl -s ${verb}${quote(call.url)}`, ...options].join(' \\\n  ');
}

/** One shell word, whatever it holds. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function headersOf({ token, headers, body }: Call): Record<string, string> {
  return {
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
