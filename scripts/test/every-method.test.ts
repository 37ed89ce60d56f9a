import { fileURLToPath } from 'node:url';
import { loadContracts } from '@gatehouse/cli/commands/rpc/contracts';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { CALLS } from '@gatehouse/proto/peers';
import { SERVICE_NAMES, type ServiceName, serviceNamed } from '@gatehouse/proto/services';
import { loadService } from '@gatehouse/runner/services';
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import { describe, expect, onTestFinished, test } from 'vitest';

const contracts = loadContracts();

const NOBODY = {
  LISTEN: '127.0.0.1:0',
  AUTH_ADDRESS: '127.0.0.1:1',
  CHAT_ADDRESS: '127.0.0.1:1',
  MEDIA_ADDRESS: '127.0.0.1:1',
  OAUTH2_ADDRESS: '127.0.0.1:1',
  RATELIMIT_ADDRESS: '127.0.0.1:1',
};

/** A setting of realtime, so that a stop does not wait for its clients. */
const OVERRIDES = { log: silentLogger, spread_ms: 0 };

/** Starts a service by itself: none of the others runs. */
async function startAlone(server: ServiceName): Promise<Running> {
  const hasDatabase = serviceNamed(server).database !== undefined;
  const env = hasDatabase ? await environment(server) : { ...NOBODY, GATEWAY_LISTEN: '127.0.0.1:0' };
  const { readConfig, start } = await loadService(server);
  return start(readConfig(env), OVERRIDES);
}

async function environment(service: string): Promise<NodeJS.ProcessEnv> {
  const migrations = fileURLToPath(new URL(`../../services/${service}/migrations`, import.meta.url));
  const { database_url, drop } = await testDatabase(migrations, 'every_method');
  onTestFinished(drop);
  return {
    ...NOBODY,
    DATABASE_URL: database_url,
    AUTH_SECRET_KEY: 'a secret key of tests that is long enough',
    CONSOLE_SECRET_KEY: 'a secret key of tests that is long enough',
    CONSOLE_LISTEN: '127.0.0.1:0',
  };
}

describe.each(SERVICE_NAMES.filter((name) => name !== 'gateway'))(
  '%s, to a client without generated code,',
  (server) => {
    test('serves every method of its contracts', async () => {
      const { address, close } = await startAlone(server);
      onTestFinished(close);
      const methods = methodsServedBy(server);
      expect(methods.length).toBeGreaterThan(0);
      const codes = await Promise.all(
        methods.map(async (method) => ({ path: method.path, code: await statusOf(address, method) })),
      );
      const unserved = codes.filter(
        ({ code }) => code === status.UNIMPLEMENTED || code === status.UNAVAILABLE,
      );
      expect(unserved).toEqual([]);
    });
  },
);

type Method = MethodDefinition<object, object>;

function methodsServedBy(server: ServiceName): Method[] {
  const services = new Set(CALLS.filter(({ to }) => to === server).map(({ service }) => service));
  return [...services].flatMap((service) => Object.values(contracts.services.get(service) ?? {}));
}

/** The status of the response to an empty request. Some methods wait for others, which do not run here. */
async function statusOf(address: string, method: Method): Promise<number> {
  const client = new Client(address, credentials.createInsecure());
  const deadline = { deadline: Date.now() + 3_000 };
  const { path, requestSerialize, responseDeserialize } = method;
  const responses = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, {}, deadline);
  try {
    for await (const _ of responses) break;
    return status.OK;
  } catch (error) {
    return (error as ServiceError).code;
  } finally {
    responses.cancel();
    client.close();
  }
}
