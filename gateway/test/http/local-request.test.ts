import { describe, expect, it } from 'vitest';
import { isLocalRequest, isSameOrigin } from '../../src/http/local-request.ts';

const from = (remoteAddress: string | undefined, headers = {}) =>
  isLocalRequest({ socket: { remoteAddress }, headers: { host: 'localhost:8080', ...headers } });

describe('a local request', () => {
  it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])('comes from %s', (address) => {
    expect(from(address)).toBe(true);
  });

  it.each([undefined, '', '10.0.0.1', '172.17.0.1', '::ffff:10.0.0.1', 'fe80::1', '127.evil', '1127.0.0.1'])(
    'does not come from %s',
    (address) => {
      expect(from(address)).toBe(false);
    },
  );

  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1:8080', '[::1]', '[::1]:8080'])('is for %s', (host) => {
    expect(from('127.0.0.1', { host })).toBe(true);
  });

  it.each([
    ...[undefined, '', 'evil.example', 'localhost.evil.example', 'evil.example:8080', '127.0.0.1.nip.io'],
    ...['127.0.0.2', '10.0.0.1', '[::2]', '::1', 'localhost:', 'localhost:x', 'a@localhost', 'localhost/'],
  ])('is not for %s', (host) => {
    expect(from('127.0.0.1', { host })).toBe(false);
  });

  it.each(['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'])(
    'has no %s',
    (name) => {
      expect(from('127.0.0.1', { [name]: '127.0.0.1' })).toBe(false);
      expect(from('127.0.0.1', { [name]: '' })).toBe(false);
    },
  );
});

describe('a request of the same origin', () => {
  const isSame = (headers = {}) => isSameOrigin({ headers: { host: 'localhost:8080', ...headers } });

  it.each([
    {},
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:8080' },
    { origin: 'http://localhost:8080' },
  ])('has %j', (headers) => {
    expect(isSame(headers)).toBe(true);
  });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' },
    { origin: 'http://localhost:8081' },
    { origin: 'http://localhost' },
    { origin: 'null' },
    { origin: '' },
  ])('does not have %j', (headers) => {
    expect(isSame(headers)).toBe(false);
  });
});
