import { readFile } from 'node:fs/promises';
import { readConfig as auth } from '@gatehouse/auth/config';
import { readConfig as chat } from '@gatehouse/chat/config';
import { readConfig as consoleService } from '@gatehouse/console/config';
import { readConfig as gateway } from '@gatehouse/gateway/config';
import { readConfig as media } from '@gatehouse/media/config';
import { readConfig as oauth2 } from '@gatehouse/oauth2/config';
import { readConfig as ratelimit } from '@gatehouse/ratelimit/config';
import { readConfig as realtime } from '@gatehouse/realtime/config';
import { readSettings } from '@gatehouse/stack/settings';
import { readConfig as webhookDelivery } from '@gatehouse/webhook-delivery/config';
import { expect, test } from 'vitest';

/** The variables that a reader of settings reads. */
function namesReadBy(read: (env: NodeJS.ProcessEnv) => unknown): string[] {
  const names = new Set<string>();
  const given: NodeJS.ProcessEnv = { DATABASE_URL: 'postgresql://db', RATE_LIMITS: 'off' };
  const env = new Proxy(given, {
    get: (target, name) => {
      names.add(String(name));
      return Reflect.get(target, name);
    },
  });
  try {
    read(env);
  } catch {
    // Problems with the settings do not matter here.
  }
  return [...names];
}

/** Variables of a compose file itself; the processes read those that it passes on. */
async function namesInCompose(file: 'compose.yaml' | 'compose.small.yaml'): Promise<string[]> {
  const compose = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
  const names = [...compose.matchAll(/\$\{([A-Z_]+)/g), ...compose.matchAll(/(NPM_CONFIG_[A-Z]+)/g)];
  return names.map(([, name = '']) => name);
}

test('.env.example lists exactly the variables that are read', async () => {
  const text = await readFile(new URL('../../.env.example', import.meta.url), 'utf8');
  const listed = [...text.matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name ?? '');
  const services = [auth, chat, consoleService, gateway, media, oauth2, ratelimit, realtime, webhookDelivery];
  const readers = [...services, readSettings];
  const tests = [
    ...['CI', 'GATEHOUSE_FUZZ_RUNS', 'GATEHOUSE_FUZZ_SEED', 'GATEHOUSE_HOSTILE'],
    ...['GATEHOUSE_TEST_DATABASE_URL', 'GATEHOUSE_TEST_REDIS_URL', 'TEST_BACKENDS', 'ADMIN_DATABASE_URL'],
  ];
  const composed = [
    ...(await namesInCompose('compose.yaml')),
    ...(await namesInCompose('compose.small.yaml')),
  ];
  const read = new Set([...readers.flatMap(namesReadBy), ...composed, ...tests]);
  expect(listed.toSorted()).toEqual([...read].toSorted());
});
