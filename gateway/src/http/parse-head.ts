import type { IncomingHttpHeaders } from 'node:http';

/** A request's head in the form of Node's messages. */
export interface ParsedHead {
  readonly url: string;
  readonly httpVersion: string;
  readonly httpVersionMajor: number;
  readonly httpVersionMinor: number;
  readonly rawHeaders: string[];
  readonly headers: IncomingHttpHeaders;
}

/** RFC 9112 §3. The method may lack its first bytes, which Node's parser has consumed. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]* ([\x21-\x7e]+) HTTP\/1\.([01])$/;
/** The beginning of a request line. */
const PART_OF_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]*(?: [\x21-\x7e]*(?: [HTP/1.0]*)?)?\r?$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/;
/** Headers of which a second one is ignored. */
const SINGLE: ReadonlySet<string> = new Set(['host', 'authorization', 'user-agent', 'content-length']);

/** Reads the head of a request; of a long one, the complete lines of its first part. */
export function parseHead(text: string, isLong: boolean): ParsedHead | 'incomplete' | 'broken' {
  const lines = text.split('\n');
  const [first = '', ...rest] = lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.length === 1) return !isLong && PART_OF_LINE.test(text) ? 'incomplete' : 'broken';
  const [, url, minor] = REQUEST_LINE.exec(first) ?? [];
  if (url === undefined) return 'broken';
  const end = rest.slice(0, -1).indexOf('');
  if (end < 0 && !isLong) return 'incomplete';
  const rawHeaders: string[] = [];
  for (const line of rest.slice(0, end < 0 ? -1 : end)) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) return 'broken';
    rawHeaders.push(name, value.trim());
  }
  const version = { httpVersion: `1.${minor}`, httpVersionMajor: 1, httpVersionMinor: Number(minor) };
  return { url, ...version, rawHeaders, headers: joined(rawHeaders) };
}

function joined(rawHeaders: readonly string[]): IncomingHttpHeaders {
  const headers = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const earlier = headers.get(name);
    if (earlier === undefined) headers.set(name, value);
    else if (!SINGLE.has(name)) headers.set(name, `${earlier}, ${value}`);
  }
  return Object.fromEntries(headers);
}
