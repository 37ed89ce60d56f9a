import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { type TestCertificates, testCertificates } from '@gatehouse/dev-env/certificates';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsoleUnderTest, startConsole } from '../start-console.ts';
import { newOperator } from '../visitor.ts';

let certificates: TestCertificates;
let strangers: TestCertificates;
let service: ConsoleUnderTest;
beforeAll(async () => {
  certificates = await testCertificates('server', 'kim', 'nobody');
  strangers = await testCertificates('kim');
  const { cert, key, ca } = certificates.files('server');
  service = await startConsole('console_certificate', { tls: { cert, key, client_ca: ca } });
  await newOperator(service, 'kim', 'support');
});
afterAll(async () => {
  await service.close();
  certificates.close();
  strangers.close();
});

interface Reply {
  readonly status: number | undefined;
  readonly transport: string | undefined;
  readonly text: string;
}

function ask(
  path: string,
  client?: { readonly cert: string; readonly key: string },
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers,
      agent: false,
      rejectUnauthorized: false, // its name is not localhost
      ...(client && { cert: readFileSync(client.cert), key: readFileSync(client.key) }),
    };
    const sent = request(`${service.url}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      const transport = response.headers['strict-transport-security'];
      response.once('end', () => resolve({ status: response.statusCode, transport, text }));
    });
    sent.once('error', reject);
    sent.end();
  });
}

it('a certificate of the authority signs in the operator of its name', async () => {
  const { status, text, transport } = await ask('/api/me', certificates.files('kim'));
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ name: 'kim', role: 'support', by: 'certificate' });
  expect(transport).toBe('max-age=63072000');
});

it('every answer demands TLS from now on, also to what is hardly a request', async () => {
  for (const [path, status] of [
    ['/api/me', 401],
    ['/api/nothing', 404],
    ['/api/accounts/%E0%A4%A', 400],
    [`/api/accounts/${'1'.repeat(600)}`, 404],
    [`/${'a'.repeat(40_000)}`, 431],
  ] as const)
    expect(await ask(path)).toMatchObject({ status, transport: 'max-age=63072000' });
});

it('a header, a cookie or a token does not take the place of a certificate’s name', async () => {
  const kim = certificates.files('kim');
  const { token } = await newOperator(service, 'other', 'admin');
  const nameOf = async (headers: Record<string, string>) =>
    (JSON.parse((await ask('/api/me', kim, { headers })).text) as { name?: string }).name;
  expect(await nameOf({ 'x-operator': 'other' })).toBe('kim');
  expect(await nameOf({ cookie: `gatehouse_console=${'a'.repeat(43)}` })).toBe('kim');
  // A command sends its token on purpose.
  expect(await nameOf({ authorization: `Bearer ${token}` })).toBe('other');
  expect(await nameOf({ authorization: `Bearer ${token}x` })).toBeUndefined();
});

it('an expired certificate signs in nobody', async () => {
  await newOperator(service, 'expired', 'admin');
  await certificates.renew('expired');
  expect((await ask('/api/me', certificates.files('expired'))).status).toBe(200);
  await certificates.renew('expired', -1);
  expect((await ask('/api/me', certificates.files('expired'))).status).toBe(401);
});

it('others sign in nobody', async () => {
  expect((await ask('/api/me', certificates.files('nobody'))).status).toBe(401);
  expect((await ask('/api/me', strangers.files('kim'))).status).toBe(401);
  expect((await ask('/api/me')).status).toBe(401);
});

it('a change by certificate is checked for other sites, because browsers send certificates of their own accord', async () => {
  const kim = certificates.files('kim');
  expect((await ask('/api/webhooks/1/disable', kim, { method: 'POST' })).status).toBe(403);
  const headers = { 'x-gatehouse-console': '1' };
  expect((await ask('/api/webhooks/1/disable', kim, { method: 'POST', headers })).status).toBe(400);
});
