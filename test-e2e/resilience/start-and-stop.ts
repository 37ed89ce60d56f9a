import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { describe, expect, it, onTestFinished } from 'vitest';
import { apiOf } from '../support/api.ts';
import { runScript, startCommand } from '../support/command.ts';
import { createGuild, createWebhook, register } from '../support/people.ts';
import { descendants, isAlive } from '../support/processes.ts';

export function startAndStop(): void {
  describe('npm start', () => {
    it.each(['SIGTERM', 'SIGINT'] as const)(
      'ends all its processes within 10 s of %s, busy or not',
      async (signal) => {
        const { url, pid, kill, ended, stdout } = await startCommand({ DATA_DIR: await dataDir() });
        expect(stdout(), 'one line on standard output').toBe(`ready ${url}/api/v1\n`);
        const api = apiOf(url);
        const hook = await createWebhook(await createGuild(await register(api)), api);
        const everyone = descendants(pid);
        expect(everyone.length, 'the edge, seven services and the database').toBeGreaterThanOrEqual(9);
        const busy = Promise.allSettled(
          Array.from({ length: 40 }, (_, n) => hook.execute({ content: `${n}` })),
        );
        const asked = performance.now();
        kill(signal);
        const { code } = await ended;
        expect(code).toBe(0);
        expect(performance.now() - asked).toBeLessThan(10_000);
        expect(everyone.filter(isAlive)).toEqual([]);
        await busy;
      },
    );

    it('keeps accounts and webhooks across a restart', async () => {
      const DATA_DIR = await dataDir();
      const first = await startCommand({ DATA_DIR });
      const person = await register(apiOf(first.url));
      const hook = await createWebhook(await createGuild(person), apiOf(first.url));
      const { id } = await hook.say({ content: 'remember me' });
      first.kill('SIGTERM');
      await first.ended;
      const second = await startCommand({ DATA_DIR });
      const api = apiOf(second.url);
      expect((await api.as(person.token).get('/users/@me')).status).toBe(200);
      expect((await api.get(`${hook.path}/messages/${id}`)).json()).toMatchObject({ content: 'remember me' });
      second.kill('SIGTERM');
      await second.ended;
    });

    it('can disable the limits in development', async () => {
      const { url, kill, ended } = await startCommand({
        DATA_DIR: await dataDir(),
        RATE_LIMITS: 'off',
        NODE_ENV: 'development',
      });
      const api = apiOf(url);
      const hook = await createWebhook(await createGuild(await register(api)), api);
      const replies = await Promise.all(Array.from({ length: 100 }, () => hook.execute({ content: 'x' })));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
      kill('SIGTERM');
      await ended;
    });
  });

  describe('a start with invalid settings', () => {
    it.each<[string, Record<string, string>, string[]]>([
      ['an invalid port', { PORT: 'abc' }, ['PORT']],
      ['limits off', { RATE_LIMITS: 'off' }, ['RATE_LIMITS']],
      ['limits off in production', { RATE_LIMITS: 'off', NODE_ENV: 'production' }, ['RATE_LIMITS']],
      ['an invalid proxy list', { TRUSTED_PROXIES: '10.0.0.0/8,nonsense' }, ['TRUSTED_PROXIES']],
      [
        'several at once',
        {
          PORT: '99999',
          RATE_LIMITS: 'off',
          TRUSTED_PROXIES: 'x',
          DATABASE_URL: 'ftp://x',
          LOGIN_LOCATION_CHECK: 'perhaps',
        },
        ['PORT', 'RATE_LIMITS', 'TRUSTED_PROXIES', 'DATABASE_URL', 'LOGIN_LOCATION_CHECK'],
      ],
    ])('(%s) stops and lists every problem', async (_, env, names) => {
      const { ended, stdout, stderr, pid } = runScript('scripts/start.ts', [], {
        DATA_DIR: await dataDir(),
        ...env,
      });
      const { code, after_ms } = await ended;
      expect(code).not.toBe(0);
      expect(after_ms).toBeLessThan(20_000);
      expect(stdout()).toBe('');
      for (const name of names) expect(stderr()).toContain(name);
      expect(stderr(), 'a message without a stack trace').not.toMatch(/^\s+at /m);
      expect(descendants(pid)).toEqual([]);
    });
  });
}

async function dataDir(): Promise<string> {
  const folder = await testDataFolder('e2e');
  onTestFinished(() => folder.remove());
  return folder.path;
}
