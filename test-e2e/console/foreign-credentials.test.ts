import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CredentialSet, issueCredentials } from '../credentials/credential-set.ts';
import { useDatabase } from '../support/database.ts';
import { PROXIED, useStackInProcess } from '../support/stack.ts';

const database = useDatabase();
const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' }, database);

let kinds: CredentialSet;
/** Of the operator `local`, in the browser and on the command line. */
let cookie: string;
let token: string;
beforeAll(async () => {
  const { url, api, data_dir, running } = stack;
  kinds = await issueCredentials({ url, api, data_dir, addresses: running.addresses, query: database.query });
  const fileOf = (name: string) => readFileSync(join(data_dir, 'console', name), 'utf8').trim();
  token = fileOf('token');
  const opened = await fetch(`${running.console_url}/api/sign-in/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gatehouse-console': '1' },
    body: JSON.stringify({ token: fileOf('link').split('#')[1] }),
  });
  cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
});

async function atConsole(path: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  const response = await fetch(`${stack.running.console_url}/api${path}`, {
    method,
    headers: { 'x-gatehouse-console': '1', ...headers },
  });
  await response.arrayBuffer();
  return response.status;
}

describe('at the console', () => {
  it('the operator’s own credentials work', async () => {
    expect(await atConsole('/operators', { cookie })).toBe(200);
    expect(await atConsole('/operators', { authorization: `Bearer ${token}` })).toBe(200);
  });

  it.each<[string, (of: CredentialSet) => string]>([
    ['a session', ({ session }) => session],
    ['a bot token', ({ bot }) => bot],
    ['an access token', ({ identifyEmail }) => identifyEmail],
    ['a client secret', ({ clientSecret }) => clientSecret],
    ['a webhook token', ({ webhooks }) => webhooks[0]?.token ?? ''],
    ['a token from a mail', ({ mailToken }) => mailToken],
  ])('%s is none, in any place', async (_, credentialOf) => {
    const credential = credentialOf(kinds);
    expect(credential).not.toBe('');
    const places: Record<string, string>[] = [
      ...['Bearer', 'Bot', 'Basic', 'Token'].map((scheme) => ({ authorization: `${scheme} ${credential}` })),
      { authorization: credential },
      { cookie: `gatehouse_console=${credential}` },
      { cookie: `session=${credential}` },
      { 'x-operator': 'local' },
    ];
    for (const headers of places) {
      expect([headers, await atConsole('/me', headers)]).toEqual([headers, 401]);
      expect([headers, await atConsole('/operators/local', headers, 'DELETE')]).toEqual([headers, 401]);
    }
    // An Authorization header is the only credential of its request.
    expect(await atConsole('/me', { cookie, authorization: `Bearer ${credential}` })).toBe(401);
    const body = JSON.stringify({ token: credential });
    const link = await fetch(`${stack.running.console_url}/api/sign-in/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gatehouse-console': '1' },
      body,
    });
    expect(link.status).toBeOneOf([400, 401]);
  });
});

describe('at the public edge', () => {
  it('no credential of an operator works', async () => {
    const [, session = ''] = cookie.split('=');
    expect(session).toMatch(/^[\w-]{43}$/);
    for (const credential of [token, session]) {
      for (const authorization of [`Bearer ${credential}`, `Bot ${credential}`, credential])
        for (const path of ['/users/@me', '/oauth2/@me', '/auth/sessions', '/gateway/bot']) {
          const { status } = await stack.api.as(authorization).get(path);
          expect([path, authorization.split(' ')[0], status]).toEqual([
            path,
            authorization.split(' ')[0],
            401,
          ]);
        }
      expect((await stack.api.get('/users/@me', { cookie: `gatehouse_console=${credential}` })).status).toBe(
        401,
      );
    }
  });

  it('no route of the console is served', async () => {
    for (const path of ['/api/operators', '/api/log.jsonl', '/api/sign-in/link', '/api/overview']) {
      const response = await fetch(stack.url + path, {
        headers: { cookie, authorization: `Bearer ${token}` },
      });
      expect([path, response.status]).toEqual([path, 404]);
    }
  });
});
