import { describe, expect, it } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { raw } from '../../support/raw.ts';
import { expectErrorForm } from '../../support/response-rules.ts';
import type { AttackSetup } from '../support/attack-setup.ts';

const GET = 'GET /api/v1/users/@me HTTP/1.1\r\n';

export function oddHttp({ stack }: AttackSetup): void {
  describe('a request that is not proper HTTP', () => {
    it.each([
      ['two Hosts', `${GET}Host: a\r\nHost: b\r\n\r\n`],
      ['two equal Hosts', `${GET}Host: a\r\nhost: a\r\n\r\n`],
      ['three Hosts, with a body', `${GET}Host: a\r\nHost: b\r\nHost: c\r\nContent-Length: 2\r\n\r\n{}`],
    ])('(%s) is 400', async (_, bytes) => {
      const reply = await raw(stack.url, bytes);
      expectError(reply, 400, 'INVALID_FORM_BODY');
    });

    it.each([
      ['one header of 64 KiB', `X-Long: ${'x'.repeat(64 * 1024)}\r\n`],
      ['many headers, 65 KiB in all', `X-Long: ${'x'.repeat(1014)}\r\n`.repeat(65)],
      ['a path', ''],
    ])('(a head that is too long: %s) is 431', async (_, fields) => {
      const line = fields === '' ? `GET /api/v1/${'x'.repeat(65 * 1024)} HTTP/1.1\r\n` : GET;
      const reply = await raw(stack.url, `${line}Host: x\r\n${fields}\r\n`, { checked: false });
      expect(reply.status).toBe(431);
      expectErrorForm(reply, 'a long head');
    });
  });

  describe('CONNECT', () => {
    it.each([
      ['a host', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
      ['a path', 'CONNECT /api/v1/users/@me HTTP/1.1\r\nHost: x\r\n\r\n'],
      [
        'the edge itself',
        'CONNECT 127.0.0.1:8080 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic eDp4\r\n\r\n',
      ],
    ])('to %s is 404, like any other verb without a route', async (_, bytes) => {
      expectError(await raw(stack.url, bytes), 404, 'NOT_FOUND');
    });
  });
}
