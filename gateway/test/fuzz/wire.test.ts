import { fuzz } from '@gatehouse/dev-env/fuzz';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/routes/index.ts';
import { useEdge } from '../support/edge.ts';
import { expectEveryAnswer } from '../support/every-answer.ts';
import { expectNoUncaughtError } from '../support/no-uncaught-error.ts';
import { SESSION } from '../support/peers.ts';
import { wire } from '../support/wire.ts';

/** Each on a connection of its own. */
const RUNS = 150;

expectNoUncaughtError();

/** One part of a path: an ID, a token, or odd text. */
const part = fc.oneof(
  fc.constantFrom('1', '41', 'tok', '@me', '..', '.', '%2e%2e', '%2F', '%00', '%', '%zz', '%ff', '%c3%28'),
  fc.constantFrom('%ed%a0%80', '%F0%9F%98%80', '%25', '9223372036854775808', '%E2%80%AE', '1;a=b', '//', ''),
  fc.uint8Array({ maxLength: 8 }).map((bytes) => [...bytes].map((byte) => `%${byte.toString(16)}`).join('')),
  fc.string({ unit: fc.constantFrom(...'abz019%-_.~!$&()*+,;=:@'), maxLength: 20 }),
);
const query = fc.oneof(
  fc.constant(''),
  fc.string({ unit: fc.constantFrom(...'waitlmxr019%=&+?[]'), maxLength: 30 }).map((text) => `?${text}`),
);
const path = fc
  .tuple(fc.constantFrom(...ROUTES), fc.array(part, { minLength: 4, maxLength: 4 }), query)
  .map(([route, parts, after]) => {
    let next = 0;
    return `/api/v1${route.path.replaceAll(/\{\w+\}/g, () => parts[next++ % parts.length] ?? '')}${after}`;
  });
const value = fc.oneof(
  fc.constantFrom(
    `Bearer ${SESSION}`,
    'Bearer',
    'Bot x',
    '1, 2, 3',
    '::1',
    'a'.repeat(500),
    '\xff\xfe',
    '\t',
  ),
  fc.uint8Array({ maxLength: 20 }).map((bytes) =>
    Buffer.from(bytes)
      .toString('latin1')
      .replaceAll(/[\r\n]/g, ''),
  ),
);
const header = fc.tuple(
  fc.constantFrom(
    'Authorization',
    'X-Forwarded-For',
    'X-Request-Id',
    'Content-Type',
    'Accept',
    'Cookie',
    'Range',
  ),
  value,
);
const requests = fc.record({
  verb: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
  path: fc.oneof(
    { weight: 4, arbitrary: path },
    fc.array(part).map((parts) => `/${parts.join('/')}`),
  ),
  headers: fc.array(header, { maxLength: 4 }),
  body: fc.constantFrom('', '{}', '{"content":"x"}', '{', 'null'),
});

describe('any request', () => {
  const edge = useEdge({ config: { trusted_proxies: ['127.0.0.0/8'] } });

  it('has one answer; an error has the usual body, and none is a 500', () =>
    fuzz(
      'requests',
      RUNS,
      fc.asyncProperty(requests, async ({ verb, path: target, headers, body }) => {
        const lines = headers.map(([name, text]) => `${name}: ${text}`);
        const length = `Content-Length: ${body.length}`;
        const head = [`${verb} ${target} HTTP/1.1`, 'Host: gatehouse', ...lines, length, 'Connection: close'];
        const connection = await wire(edge);
        try {
          connection.write(Buffer.from([...head, '', body].join('\r\n'), 'latin1'));
          const answer = await connection.answer();
          expectEveryAnswer(answer, `${verb} ${target}`);
          expect([answer.status, answer.text]).toEqual([expect.toSatisfy(isNoFailure), answer.text]);
          await connection.closed();
          // Nothing follows the one answer.
          await expect(connection.answer()).rejects.toThrow('closed after ""');
        } finally {
          connection.destroy();
        }
      }),
    ));
});

function isNoFailure(status: number): boolean {
  return status >= 200 && status < 500;
}
