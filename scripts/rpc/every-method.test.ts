import { fileURLToPath } from 'node:url';
import { readConfig as readAuthConfig } from '@gatehouse/auth/config';
import { start as startAuth } from '@gatehouse/auth/start';
import { readConfig as readChatConfig } from '@gatehouse/chat/config';
import { start as startChat } from '@gatehouse/chat/start';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { readConfig as readMediaConfig } from '@gatehouse/media/config';
import { start as startMedia } from '@gatehouse/media/start';
import { readConfig as readOauth2Config } from '@gatehouse/oauth2/config';
import { start as startOauth2 } from '@gatehouse/oauth2/start';
import { CALLS } from '@gatehouse/proto/peers';
import type { ServerName } from '@gatehouse/proto/services';
import { readConfig as readRatelimitConfig } from '@gatehouse/ratelimit/config';
import { start as startRatelimit } from '@gatehouse/ratelimit/start';
import { readConfig as readRealtimeConfig } from '@gatehouse/realtime/config';
import { start as startRealtime } from '@gatehouse/realtime/start';
import { readConfig as readWebhookDeliveryConfig } from '@gatehouse/webhook-delivery/config';
import { start as startWebhookDelivery } from '@gatehouse/webhook-delivery/start';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call } from './call.ts';
import { loadContracts } from './contracts.ts';
import { describe as describeName } from './describe.ts';

const contracts = loadContracts({ defaults: true });

const NOBODY = {
  LISTEN: '127.0.0.1:0',
  AUTH_ADDRESS: '127.0.0.1:1',
  CHAT_ADDRESS: '127.0.0.1:1',
  MEDIA_ADDRESS: '127.0.0.1:1',
  OAUTH2_ADDRESS: '127.0.0.1:1',
  RATELIMIT_ADDRESS: '127.0.0.1:1',
};

/** Without other services: each answers for itself here. */
const STARTS: Readonly<Record<ServerName, () => Promise<Running>>> = {
  ratelimit: () => startRatelimit(readRatelimitConfig({ LISTEN: '127.0.0.1:0' }), { log: silentLogger }),
  auth: async () => startAuth(readAuthConfig(await environment('auth')), { log: silentLogger }),
  chat: async () => startChat(readChatConfig(await environment('chat')), { log: silentLogger }),
  oauth2: async () => startOauth2(readOauth2Config(await environment('oauth2')), { log: silentLogger }),
  media: async () => startMedia(readMediaConfig(await environment('media')), { log: silentLogger }),
  'webhook-delivery': async () =>
    startWebhookDelivery(readWebhookDeliveryConfig(await environment('webhook-delivery')), {
      log: silentLogger,
    }),
  realtime: () =>
    startRealtime(readRealtimeConfig({ ...NOBODY, GATEWAY_LISTEN: '127.0.0.1:0' }), {
      log: silentLogger,
      spread_ms: 0,
    }),
};

async function environment(service: string): Promise<NodeJS.ProcessEnv> {
  const migrations = fileURLToPath(new URL(`../../services/${service}/migrations`, import.meta.url));
  const { database_url, drop } = await testDatabase(migrations, 'every_method');
  onTestFinished(drop);
  return {
    ...NOBODY,
    DATABASE_URL: database_url,
    AUTH_SECRET_KEY: 'a secret key of tests that is long enough',
  };
}

describe.each(Object.keys(STARTS) as ServerName[])('%s, to a client without generated code,', (server) => {
  test('serves every method of its contracts', async () => {
    const { address, close } = await STARTS[server]();
    onTestFinished(close);
    const methods = methodsServedBy(server);
    expect(methods.length).toBeGreaterThan(0);
    const unserved = [];
    for (const method of methods) {
      const code = await statusOf(address, method);
      if (code === status.UNIMPLEMENTED || code === status.UNAVAILABLE) unserved.push([method.path, code]);
    }
    expect(unserved).toEqual([]);
  });
});

test('every method is described with its messages', () => {
  for (const [service, methods] of contracts.services)
    for (const [rpc, { requestType, responseType }] of Object.entries(methods)) {
      const text = describeName(`${service}/${rpc}`);
      for (const { type } of [requestType, responseType])
        expect(text).toContain(`message ${(type as { name: string }).name} {`); // a DescriptorProto
    }
});

type Method = MethodDefinition<object, object>;

function methodsServedBy(server: ServerName): Method[] {
  const services = new Set(CALLS.filter(({ to }) => to === server).map(({ service }) => service));
  return [...services].flatMap((service) => Object.values(contracts.services.get(service) ?? {}));
}

/** What an empty request is answered with: the test is about the way there and back. */
async function statusOf(address: string, method: Method): Promise<number> {
  const metadata = new Metadata();
  try {
    for await (const _ of call({
      address,
      tls: undefined,
      method,
      request: {},
      metadata,
      deadline_ms: 10_000,
    }))
      break;
    return status.OK;
  } catch (error) {
    return (error as ServiceError).code;
  }
}
