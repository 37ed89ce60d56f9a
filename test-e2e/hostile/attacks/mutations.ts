/** Returns a function that gives the next mutation of one of the valid requests, reproducible by seed. */
export function mutations(seed: number, valid: readonly string[]): () => Buffer {
  const random = generator(seed);
  return () => {
    let bytes: Buffer = Buffer.from(pick(random, valid), 'latin1');
    const times = 1 + random(3);
    for (let n = 0; n < times; n++) bytes = pick(random, MUTATORS)(bytes, random);
    return bytes;
  };
}

/** An integer in [0, limit). */
type Random = (limit: number) => number;
type Mutator = (bytes: Buffer, random: Random) => Buffer;

/** Marsaglia's 32-bit xorshift. */
function generator(seed: number): Random {
  let state = seed | 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random(from.length)] as T; // Never empty.
}

const VERBS = [
  'GET',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
  'POST',
  'TRACE',
  'PURGE',
  'QUERY',
  'get',
  'M-SEARCH',
];
const PATH_PARTS = [
  '%',
  '%2',
  '%zz',
  '%00',
  '%2F',
  '%C0%AF',
  '%ff',
  '..',
  '.',
  '//',
  '@me',
  '%40me',
  ';a=b',
  '?',
  '#',
  '\\',
  '*',
];
const PATH_IDS = [
  '0',
  '-1',
  '9223372036854775807',
  '9223372036854775808',
  '1e3',
  '0x10',
  '٣',
  'null',
  '1'.repeat(5_000),
];
const JSON_VALUES = [
  'null',
  '0',
  '-1',
  '1e400',
  '123456789012345678901234567890',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\u00e9"',
  '[]',
  '{}',
  '[[[[]]]]',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{}}}',
  'true',
  'NaN',
  "'x'",
  `"${'x'.repeat(9_000)}"`,
];
const HEADERS = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Content-Length: 0',
  'Content-Length: 5, 5',
  'Content-Length: 18446744073709551616',
  'Content-Encoding: gzip',
  'Content-Type: multipart/form-data; boundary=x',
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Type: ;;;',
  'Expect: 100-continue',
  'Connection: close',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Host: a b',
  'Host:',
  'Authorization: Bot',
  'Authorization: Bearer ',
  'X-Request-Id: \u00ff',
  'X-Forwarded-For: 999.1.1.1, ::1',
  'X-Audit-Log-Reason: %E0%A4%A',
  'Accept: \u0001',
  ' folded: yes',
  'Range: bytes=0-',
  'If-None-Match: *',
];

const MUTATORS: readonly Mutator[] = [
  flipBits,
  flipBits,
  truncate,
  duplicateHeader,
  removeHeader,
  addHeader,
  otherVerb,
  oddPath,
  oddId,
  oddQuery,
  oddValue,
  oddValue,
  duplicateSlice,
  asChunks,
];

function flipBits(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  const times = 1 + random(4);
  for (let n = 0; n < times && copy.length > 0; n++) {
    const at = random(copy.length);
    copy.writeUInt8(copy.readUInt8(at) ^ (1 << random(8)), at);
  }
  return copy;
}

function truncate(bytes: Buffer, random: Random): Buffer {
  return bytes.subarray(0, 1 + random(Math.max(1, bytes.length - 1)));
}

function duplicateSlice(bytes: Buffer, random: Random): Buffer {
  const at = random(bytes.length);
  const end = Math.min(bytes.length, at + 1 + random(40));
  return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
}

function duplicateHeader(bytes: Buffer, random: Random): Buffer {
  return withHead(bytes, ([line = '', ...headers]) => {
    return headers.length === 0 ? [line] : [line, ...headers, pick(random, headers)];
  });
}

function removeHeader(bytes: Buffer, random: Random): Buffer {
  return withHead(bytes, ([line = '', ...headers]) => [
    line,
    ...headers.toSpliced(random(headers.length + 1), 1),
  ]);
}

function addHeader(bytes: Buffer, random: Random): Buffer {
  return withHead(bytes, ([line = '', ...headers]) => [
    line,
    ...headers.toSpliced(random(headers.length + 1), 0, pick(random, HEADERS)),
  ]);
}

function otherVerb(bytes: Buffer, random: Random): Buffer {
  return withHead(bytes, ([line = '', ...headers]) => [
    line.replace(/^\S+/, pick(random, VERBS)),
    ...headers,
  ]);
}

function oddPath(bytes: Buffer, random: Random): Buffer {
  return withTarget(bytes, (target) => {
    const at = random(target.length + 1);
    return target.slice(0, at) + pick(random, PATH_PARTS) + target.slice(at);
  });
}

function oddId(bytes: Buffer, random: Random): Buffer {
  return withTarget(bytes, (target) => target.replace(/\/\d+/, () => `/${pick(random, PATH_IDS)}`));
}

function oddQuery(bytes: Buffer, random: Random): Buffer {
  const names = ['wait', 'limit', 'before', 'after', '__proto__', 'a[]', '%'];
  return withTarget(bytes, (target) => {
    const pairs = Array.from(
      { length: 1 + random(4) },
      () => `${pick(random, names)}=${pick(random, PATH_IDS)}`,
    );
    return `${target}${target.includes('?') ? '&' : '?'}${pairs.join('&')}`;
  });
}

/** Replaces one value of a JSON body, and corrects its length so that it is read in full. */
function oddValue(bytes: Buffer, random: Random): Buffer {
  const { head, body } = parts(bytes);
  const values = [...body.matchAll(/(?<=[:[,])\s*("(?:[^"\\]|\\.)*"|[-\w.]+|\{\}|\[\])/g)];
  if (values.length === 0) return bytes;
  const { 0: value, index } = pick(random, values);
  return joined(head, body.slice(0, index) + pick(random, JSON_VALUES) + body.slice(index + value.length));
}

/** The same body in chunks of odd sizes, some with an extension. */
function asChunks(bytes: Buffer, random: Random): Buffer {
  const { head, body } = parts(bytes);
  const chunks: string[] = [];
  for (let at = 0; at < body.length; ) {
    const chunk = body.slice(at, at + 1 + random(20));
    chunks.push(`${chunk.length.toString(16)}${random(4) === 0 ? ';a="b"' : ''}\r\n${chunk}\r\n`);
    at += chunk.length;
  }
  const lines = head.split('\r\n').filter((line) => !/^content-length:/i.test(line));
  const text = `${[...lines, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n${chunks.join('')}0\r\n\r\n`;
  return Buffer.from(text, 'latin1');
}

function withHead(bytes: Buffer, change: (lines: string[]) => string[]): Buffer {
  const { head, body } = parts(bytes);
  return Buffer.from(`${change(head.split('\r\n')).join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

function withTarget(bytes: Buffer, change: (target: string) => string): Buffer {
  return withHead(bytes, ([line = '', ...headers]) => {
    const [verb = '', target = '', ...rest] = line.split(' ');
    return [[verb, change(target), ...rest].join(' '), ...headers];
  });
}

function parts(bytes: Buffer): { head: string; body: string } {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  return end < 0 ? { head: text, body: '' } : { head: text.slice(0, end), body: text.slice(end + 4) };
}

function joined(head: string, body: string): Buffer {
  const lines = head.replace(/^content-length:.*$/im, `Content-Length: ${body.length}`);
  return Buffer.from(`${lines}\r\n\r\n${body}`, 'latin1');
}
