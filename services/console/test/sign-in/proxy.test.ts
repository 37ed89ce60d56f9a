import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleUnderTest, startConsole } from '../start-console.ts';
import { newOperator, signedIn } from '../visitor.ts';

let service: ConsoleUnderTest;
let stranger: ConsoleUnderTest;
beforeAll(async () => {
  const operator_header = 'x-operator';
  service = await startConsole('console_proxy', { trusted_proxies: ['127.0.0.0/8'], operator_header });
  stranger = await startConsole('console_no_proxy', { trusted_proxies: ['192.0.2.0/24'], operator_header });
  for (const console of [service, stranger]) {
    await newOperator(console, 'proxied', 'read');
    await newOperator(console, 'boss', 'admin');
  }
});
afterAll(async () => {
  await service.close();
  await stranger.close();
});

interface Me {
  readonly status: number | undefined;
  readonly name: string | undefined;
  readonly role: string | undefined;
}

/** Asks who one is. A header with several values is sent several times. */
async function me(headers: Record<string, string | string[]>, { url } = service): Promise<Me> {
  const { promise, resolve, reject } = Promise.withResolvers<Me>();
  const sent = request(`${url}/api/me`, { headers, agent: false }, (response) => {
    json(response).then((body) => {
      const { name, role } = body as Partial<Me>; // an error has neither
      resolve({ status: response.statusCode, name, role });
    }, reject);
  });
  sent.once('error', reject);
  sent.end();
  return promise;
}

describe('the header of a trusted proxy', () => {
  it('signs in the operator that it names', async () => {
    expect(await me({ 'x-operator': 'proxied' })).toEqual({ status: 200, name: 'proxied', role: 'read' });
    expect(await me({ 'X-OPERATOR': 'proxied' })).toMatchObject({ status: 200, name: 'proxied' });
  });

  it.each<[string, string | string[]]>([
    ['twice, the client’s own first', ['boss', 'proxied']],
    ['twice, the client’s own last', ['proxied', 'boss']],
    ['twice the same', ['boss', 'boss']],
    ['with two names', 'boss, proxied'],
    ['with spaces', 'bo ss'],
    ['in capitals', 'BOSS'],
    ['of a certificate’s caller', 'certificate:admin'],
    ['of 65 characters', 'a'.repeat(65)],
    ['with a pattern', 'b%'],
  ])('%s signs in nobody', async (_, value) => {
    expect(await me({ 'x-operator': value })).toEqual({ status: 401, name: undefined, role: undefined });
  });

  it('that names nobody does not fall back to a session', async () => {
    const visitor = await signedIn(service, 'with-session', 'admin');
    const cookie = visitor.cookie ?? '';
    expect(await me({ cookie })).toMatchObject({ status: 200, name: 'with-session' });
    expect(await me({ cookie, 'x-operator': 'nobody' })).toMatchObject({ status: 401 });
  });

  it('under another name, or from another peer, counts for nothing', async () => {
    for (const name of ['x_operator', 'operator', 'x-operator-name', 'x-forwarded-user'])
      expect(await me({ [name]: 'boss' })).toMatchObject({ status: 401 });
    for (const forwarded of ['192.0.2.1', '192.0.2.1, 192.0.2.2', '127.0.0.1'])
      expect(await me({ 'x-operator': 'boss', 'x-forwarded-for': forwarded }, stranger)).toMatchObject({
        status: 401,
      });
  });
});

describe('the address of a session', () => {
  it('is the rightmost one that is no proxy: a client’s own entries move nothing', async () => {
    const visitor = await signedIn(service, 'homely', 'read', {
      headers: { 'x-forwarded-for': '198.51.100.7' },
    });
    const cookie = visitor.cookie ?? '';
    for (const forwarded of [
      '203.0.113.1, 198.51.100.7',
      'nonsense, 198.51.100.7, 127.0.0.2',
      ['203.0.113.1', '198.51.100.7'],
      '"198.51.100.7"',
    ])
      expect(await me({ cookie, 'x-forwarded-for': forwarded })).toMatchObject({ name: 'homely' });
    // The thief's own address is the last one.
    expect(await me({ cookie, 'x-forwarded-for': '198.51.100.7, 203.0.113.1' })).toMatchObject({
      status: 401,
    });
    expect(await me({ cookie, 'x-forwarded-for': '198.51.100.7' })).toMatchObject({ status: 401 });
  });

  it('is the peer’s, where no proxy is trusted', async () => {
    const visitor = await signedIn(stranger, 'direct', 'read');
    const cookie = visitor.cookie ?? '';
    expect(await me({ cookie, 'x-forwarded-for': '203.0.113.1' }, stranger)).toMatchObject({
      name: 'direct',
    });
  });
});

it('a cookie that is sent twice signs in nobody', async () => {
  const visitor = await signedIn(service, 'doubled', 'read');
  const cookie = visitor.cookie ?? '';
  expect(await me({ cookie: `${cookie}; ${cookie}` })).toMatchObject({ status: 401 });
  expect(await me({ cookie: `gatehouse_console=planted; ${cookie}` })).toMatchObject({ status: 401 });
  expect(await me({ cookie: `other=1; ${cookie}` })).toMatchObject({ name: 'doubled' });
});
