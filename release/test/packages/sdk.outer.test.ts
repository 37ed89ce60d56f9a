import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, openBrowser } from '@gatehouse/dev-env/browser/browser';
import { type DataFolder, testDataFolder } from '@gatehouse/dev-env/data-folder';
import { freePort } from '@gatehouse/dev-env/free-port';
import { dropTestDatabase, testDatabaseUrl } from '@gatehouse/dev-env/postgres/test-database';
import { chromiumProgram } from '@gatehouse/dev-env/programs/chromium';
import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import { DATABASE_SERVICES } from '@gatehouse/proto/services';
import type { StartedAuthorization } from '@gatehouse/sdk';
import { startStack } from '@gatehouse/stack/start-stack';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../api-client.ts';
import { packSdk } from '../../pack/pack-packages.ts';
import { bearer, createSampleData, type SampleData } from '../../sample-data.ts';
import { type Consumer, openConsumer } from './consumer.ts';
import { startProgram } from './program.ts';
import { servePackages } from './serve-packages.ts';

const opened = resourceStack();
let consumer: Consumer;
let folder: DataFolder;
let url: string;
let data: SampleData;

beforeAll(async () => {
  consumer = await openConsumer({ pack: packSdk, readme: '@gatehouse/sdk' });
  opened.add('consumer', async () => consumer.remove());
  folder = await testDataFolder('sdk');
  opened.add('folder', folder.remove);
  const database_url = await testDatabaseUrl('sdk');
  for (const service of DATABASE_SERVICES)
    opened.add('database', () => dropTestDatabase(databaseUrl(database_url, service)));
  const env = { LOG_LEVEL: 'warn', RATELIMIT_TIMEOUT_MS: '6000', LOGIN_LOCATION_CHECK: 'off' };
  const stack = await startStack({ port: 0, data_dir: folder.path, database_url, one_process: true, env });
  opened.add('stack', stack.close);
  url = stack.url;
  data = await createSampleData(url);
});
afterAll(() => opened.close());

/** The number of the program that contains a text. */
function programWith(text: string): number {
  const found = consumer.programs.flatMap((program, n) => (program.includes(text) ? n : []));
  expect(found, `the README has one program with ${text}`).toHaveLength(1);
  return found[0] ?? -1;
}

async function run(text: string, node: string = process.execPath): Promise<string> {
  const file = join(consumer.folder, `built/program-${programWith(text)}.js`);
  const { stdout } = await execFileAsync(node, [file], {
    env: { ...environment(), PATH: process.env.PATH ?? '' },
  });
  return stdout;
}

/** The variables of the README's programs. */
function environment(): Record<string, string> {
  const { application, grant, owner, webhook } = data;
  return {
    GATEHOUSE_URL: url,
    BOT_TOKEN: application.bot_token,
    GUILD_ID: data.guild_id,
    CHANNEL_ID: data.channel_id,
    EMAIL: owner.email,
    PASSWORD: owner.password,
    WEBHOOK_URL: `${url}/api/v1/webhooks/${webhook.id}/${webhook.token}`,
    CLIENT_ID: application.id,
    CLIENT_SECRET: application.client_secret,
    ACCESS_TOKEN: grant.access_token,
    TOKENS_FILE: join(folder.path, 'tokens.json'),
  };
}

it('is JavaScript and declarations, with openapi-fetch alone', () => {
  const modules = join(consumer.folder, 'node_modules');
  const installed = readdirSync(modules).filter(
    (name) => !/^(?:\.|@types$|undici-types$|node-linux-)/.test(name),
  );
  expect(installed.sort()).toEqual(['@gatehouse', 'openapi-fetch', 'openapi-typescript-helpers']);
  const files = readdirSync(join(modules, '@gatehouse/sdk'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
  expect(files).toContain('dist/index.js');
});

it('compiles with moduleResolution bundler', async () => {
  await consumer.compile('esnext', 'bundler');
});

describe('the programs of the README', () => {
  beforeAll(() => consumer.compile('nodenext', 'nodenext'));

  const FIRST_CALL = 'guild.member_count';

  it('call the API', async () => {
    expect(await run(FIRST_CALL)).toBe('Workshop has 3 members\n');
    expect(await run('/auth/login')).toBe('signed in as owner\n');
    expect(await run('webhookClient(')).toBe('Deploy of **shop** is done\n');
  });

  it('run on the oldest Node', async () => {
    expect(await run(FIRST_CALL, consumer.oldestNode)).toBe('Workshop has 3 members\n');
  });

  it('read errors', async () => {
    expect(await run('INVALID_FORM_BODY')).toBe('embeds.0.title: STRING_LENGTH_INVALID\n');
  });

  it('wait for rate limits, and list what they sent', async () => {
    expect(await run('24 messages are sent')).toBe(
      '24 messages are sent\nthe next message fits in a moment\n',
    );
    const lines = (await run('listMembers(')).split('\n');
    expect(lines.slice(0, 3).sort()).toEqual([expect.stringMatching(/^Clock_/), 'member', 'owner']);
    expect(lines.slice(3)).toEqual(['message 1 is among the newest hundred', '']);
  });

  it('refresh tokens, for ten callers at once', async () => {
    const { access_token, refresh_token } = data.grant;
    const tokens = { accessToken: access_token, refreshToken: refresh_token, expiresAt: 0, scopes: [] };
    const file = environment().TOKENS_FILE ?? '';
    writeFileSync(file, JSON.stringify(tokens));
    expect(await run('tokenSource(')).toBe('10 calls as member\n');
    expect(JSON.parse(readFileSync(file, 'utf8')).refreshToken).not.toBe(refresh_token);
    expect(await run('tokenSource('), 'with the stored tokens').toBe('10 calls as member\n');
  });

  it('introspect a token', async () => {
    expect(await run('introspect(')).toBe(`user ${data.member.id} grants email identify\n`);
  });

  it('follow the Gateway, on the oldest Node too', async () => {
    expect(await run('new Gateway(')).toMatch(/^Clock_\w+ wrote: I am here\n$/);
    expect(await run('new Gateway(', consumer.oldestNode)).toMatch(/^Clock_\w+ wrote: I am here\n$/);
  });

  it('sign a person in, in a browser that began to', async () => {
    const port = await freePort();
    const site = `http://127.0.0.1:${port}`;
    const api = apiClient(url);
    const authorization = bearer(data.member);
    const application = await api.send<{ id: string; client_secret: string }>(
      'POST',
      '/oauth2/applications',
      {
        authorization,
        body: { name: 'Clock on a wall', redirect_uris: [`${site}/callback`] },
      },
    );
    const env = { ...environment(), CLIENT_ID: application.id, CLIENT_SECRET: application.client_secret };
    const file = join(consumer.folder, `built/program-${programWith('oauth2.start(')}.js`);
    const program = await startProgram(port, file, { ...env, PORT: String(port) });
    try {
      const begun = await fetch(site, { redirect: 'manual' });
      const query = new URL(begun.headers.get('location') ?? '').searchParams;
      const { redirect_to } = await api.send<{ redirect_to: string }>('POST', '/oauth2/authorize/consent', {
        authorization,
        body: Object.fromEntries(query),
      });
      const stranger = await fetch(redirect_to);
      expect([stranger.status, await stranger.text()]).toEqual([400, 'The sign-in failed.']);
      const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
      const ended = await fetch(redirect_to, { headers: { cookie } });
      expect(await ended.text()).toBe('Hello member');
    } finally {
      await program.stop();
    }
  });
});

const chromiumIsMissing = (await chromiumProgram()) === undefined;

describe.skipIf(chromiumIsMissing)('in a page of another origin', () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof servePackages>>;
  let page: Page;
  beforeAll(async () => {
    site = await servePackages(consumer.folder);
    browser = await openBrowser();
    page = await browser.page();
    await page.goto(site.url);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  /** Runs a script with everything that the SDK exports as `sdk`. */
  const evaluate = <T>(script: string): Promise<T> =>
    page.evaluate(`import('@gatehouse/sdk').then(async (sdk) => { ${script} })`);

  it('calls the API, and reads errors and the headers of rate limits', async () => {
    const { guilds, code, requestId } = await evaluate<Record<string, unknown>>(`
      const client = sdk.createClient({ baseUrl: '${url}', bot: '${data.application.bot_token}' });
      const { data: guilds } = await client.GET('/users/@me/guilds');
      const params = { path: { channel_id: '${data.channel_id}' } };
      const body = { embeds: [{ title: 'x'.repeat(300) }] };
      const refused = await client.POST('/channels/{channel_id}/messages', { params, body }).catch((error) => error);
      const { code } = refused.violations['embeds.0.title'];
      return { guilds: guilds.map(({ name }) => name), code, requestId: refused.requestId };
    `);
    expect([guilds, code]).toEqual([['Workshop'], 'STRING_LENGTH_INVALID']);
    expect(requestId).toEqual(expect.any(String));
    // Ten attempts an hour, by anyone. Without the header of the bucket, the twelfth would be sent.
    const last = await evaluate<readonly string[]>(`
      const client = sdk.createClient({ baseUrl: '${url}', session: '${data.member.token}' });
      const params = { path: { application_id: '${data.application.id}' } };
      const messages = [];
      for (let n = 0; n < 12; n++)
        await client.POST('/oauth2/applications/{application_id}/client-secret/reset', { params }).catch((error) => {
          messages.push(error.code + ' ' + error.message);
        });
      return messages.slice(-3);
    `);
    expect(last).toEqual([
      expect.stringContaining('FORBIDDEN'),
      expect.stringContaining('You are being rate limited'),
      expect.stringContaining('The request was not sent'),
    ]);
  });

  it('signs a person in for a public application, with PKCE', async () => {
    const api = apiClient(url);
    const authorization = bearer(data.member);
    const redirect_uris = [`${site.url}/callback`];
    const { id } = await api.send<{ id: string }>('POST', '/oauth2/applications', {
      authorization,
      body: { name: 'Clock in a page', redirect_uris, public: true },
    });
    const oauth2 = `const oauth2 = new sdk.OAuth2Client({ baseUrl: '${url}', clientId: '${id}' });`;
    const started = await evaluate<StartedAuthorization>(
      `${oauth2} return oauth2.start({ redirectUri: '${redirect_uris[0]}', scopes: ['identify'] });`,
    );
    const { redirect_to } = await api.send<{ redirect_to: string }>('POST', '/oauth2/authorize/consent', {
      authorization,
      body: Object.fromEntries(new URL(started.url).searchParams),
    });
    const username = await evaluate(`${oauth2}
      const tokens = await oauth2.finish('${redirect_to}', ${JSON.stringify(started)});
      const accessToken = oauth2.tokenSource(sdk.memoryTokenStore({ ...tokens, expiresAt: 0 }));
      const client = sdk.createClient({ baseUrl: '${url}', accessToken });
      return (await client.GET('/users/@me')).data.username;`);
    expect(username).toBe('member');
  });
});
