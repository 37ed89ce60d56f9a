import { reasonOf } from '@gatehouse/cli/output/reason-of';
import { DemoError } from './demo-error.ts';

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** The whole URL. */
  url: string;
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: object;
  /** A form body. */
  form?: Readonly<Record<string, string>>;
}

export interface Answer {
  status: number;
  reason: string;
  headers: Headers;
  text: string;
}

export async function send(call: Call): Promise<Answer> {
  const { method, url, form } = call;
  const body = form === undefined ? jsonOf(call) : new URLSearchParams(form).toString();
  const response = await fetch(url, {
    method,
    headers: headersOf(call),
    signal: AbortSignal.timeout(15_000),
    ...(body === undefined ? {} : { body }),
  }).catch((error: unknown) => {
    throw new DemoError(`No answer from ${new URL(url).origin}: ${reasonOf(error)}`);
  });
  const { status, statusText: reason, headers } = response;
  return { status, reason, headers, text: await response.text() };
}

/** A call as a curl command, ready to paste into a shell. */
export function curl(call: Call): string {
  const options = Object.entries(headersOf(call)).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const body = jsonOf(call);
  if (body !== undefined) options.push(`-d ${quote(body)}`);
  for (const [name, value] of Object.entries(call.form ?? {}))
    options.push(`--data-urlencode ${quote(`${name}=${value}`)}`);
  // The method that curl uses by default.
  const own = body === undefined && call.form === undefined ? 'GET' : 'POST';
  const verb = call.method === own ? '' : `-X ${call.method} `;
  return [`curl -s ${verb}${quote(call.url)}`, ...options].join(' \\\n  ');
}

function jsonOf({ body }: Call): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}

/** Quotes any text as one shell word. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function headersOf({ token, headers, body, form }: Call): Record<string, string> {
  return {
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
    ...headers,
  };
}
