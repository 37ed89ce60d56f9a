import { IncomingMessage } from 'node:http';
import { isIP, Socket } from 'node:net';
import { fuzz } from '@gatehouse/dev-env/fuzz';
import { clientIp, ipGroup, ipSubnet, parseNetworks } from '@gatehouse/kit/net/client-ip';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCredential } from '../../src/http/credential.ts';
import { requestId } from '../../src/http/request-headers.ts';

const RUNS = 3000;

/** A header's bytes as Node reads them. */
const latin1 = fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
const token = fc.string({ unit: fc.constantFrom(...'aZ09-_.~ \t='), maxLength: 50 });
const authorization = fc.oneof(
  latin1,
  fc
    .tuple(fc.constantFrom('Bot ', 'Bearer ', 'bearer ', 'Bearer  ', 'Basic ', ''), fc.oneof(token, latin1))
    .map((parts) => parts.join('')),
  fc.integer({ min: 200, max: 70_000 }).map((length) => `Bearer ${'x'.repeat(length)}`),
);
const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4().map((ip) => `::ffff:${ip}`),
  fc.ipV4().map((ip) => `10.${ip.split('.').slice(1).join('.')}`), // often a trusted proxy
  fc.constantFrom('fe80::1%eth0', '::', '0x7f.1', '010.0.0.1', '1.2.3', '[::1]', '1.2.3.4:80', 'unknown', ''),
  latin1,
);
const forwarded = fc.array(address, { maxLength: 6 }).map((entries) => entries.join(', '));

function incoming(headers: Readonly<Record<string, string>>): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.headers = { ...headers };
  message.rawHeaders = Object.entries(headers).flat();
  return message;
}

describe('any header', () => {
  it('of Authorization yields at most one credential to look up', () =>
    fuzz(
      'Authorization',
      RUNS,
      fc.property(authorization, (header) => {
        const credential = readCredential(incoming({ authorization: header }));
        expect(credential?.token).toMatch(/^[\x21-\x7e]{0,256}$/);
        expect(credential?.kind).not.toBe(CallerKind.CALLER_KIND_UNSPECIFIED);
        // The looked-up token is the sent one, or empty.
        expect(header.endsWith(credential?.token ?? '?')).toBe(true);
      }),
    ));

  it('of X-Forwarded-For yields one address, which an untrusted peer cannot choose', () => {
    const proxies = ['10.0.0.0/8', '2001:db8::/32'];
    const ipOf = clientIp(proxies);
    return fuzz(
      'X-Forwarded-For',
      RUNS,
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('10.0.0.1')), forwarded, (peer, header) => {
        const ip = ipOf(peer, header);
        expect(isIP(ip)).not.toBe(0);
        expect(ip).not.toContain('%');
        expect(ip.startsWith('::ffff:')).toBe(false);
        expect(parseNetworks([ipGroup(ip), ipSubnet(ip)])).toHaveLength(2);
        if (peer.includes('.') && !peer.includes(':') && !peer.startsWith('10.')) expect(ip).toBe(peer);
      }),
    );
  });

  it('of X-Request-Id is kept if it is printable, and replaced otherwise', () =>
    fuzz(
      'X-Request-Id',
      RUNS,
      fc.property(fc.oneof(latin1, token), (header) => {
        const id = requestId(incoming({ 'x-request-id': header }));
        expect(id).toMatch(/^[\x20-\x7e]{1,128}$/);
        if (/^[\x20-\x7e]{1,128}$/.test(header)) expect(id).toBe(header);
      }),
    ));
});
