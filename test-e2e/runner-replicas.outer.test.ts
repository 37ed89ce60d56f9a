import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type TestCertificates, testCertificates } from '@gatehouse/dev-env/certificates';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { faultOf } from '@gatehouse/dev-env/faults';
import { freePort } from '@gatehouse/dev-env/free-port';
import { dropTestDatabase, testDatabaseUrl } from '@gatehouse/dev-env/postgres/test-database';
import { redisIsMissing, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { Status } from '@gatehouse/kit/fault';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import { connect } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { PEERS, type PeerName } from '@gatehouse/proto/peers';
import {
  DATABASE_SERVICES,
  ownVariable,
  SERVICE_NAMES,
  type ServerName,
  serviceNamed,
} from '@gatehouse/proto/services';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useGateway } from './gateway/support/use-gateway.ts';
import { type Api, apiOf } from './support/api.ts';
import { inheritedEnv } from './support/command.ts';
import { createGuild, type GuildFixture, newWebhook, register } from './support/people.ts';

const RUNNER = fileURLToPath(new URL('../runner/src/main.ts', import.meta.url));
const SERVERS = SERVICE_NAMES.filter(
  (name): name is ServerName => serviceNamed(name).ports.grpc !== undefined,
);
const timeoutMs = 5_000;

/** A process of all services. */
interface Replica {
  readonly url: string;
  readonly api: Api;
  readonly addresses: Readonly<Record<ServerName, string>>;
  readonly child: ChildProcess;
}

describe.skipIf(redisIsMissing)('two processes of all services, with mutual TLS', () => {
  const resources = resourceStack();
  const replicas: Replica[] = [];
  const replica = (index: 0 | 1) => replicas[index] ?? expect.unreachable('it does not run');
  const gatewayOf = (index: 0 | 1) =>
    useGateway({
      get url() {
        return replica(index).url;
      },
      get api() {
        return replica(index).api;
      },
      data_dir: '',
    });
  const gateways = [gatewayOf(0), gatewayOf(1)] as const;
  let certificates: TestCertificates;
  let fixture: GuildFixture;

  beforeAll(async () => {
    certificates = await testCertificates(...PEERS);
    resources.add('certificates', () => certificates.close());
    const folder = await testDataFolder('runner-replicas');
    resources.add('folder', () => folder.remove());
    const redis = await testRedis();
    resources.add('redis', () => redis.close());
    const DATABASE_URL = await testDatabaseUrl('runner_replicas');
    for (const name of DATABASE_SERVICES)
      resources.add(name, () => dropTestDatabase(databaseUrl(DATABASE_URL, name)));
    const shared = {
      DATABASE_URL,
      REDIS_URL: redis.url,
      RPC_TLS_DIR: certificates.folder,
      DATA_DIR: folder.path,
    };
    const ports = [await portsOf(), await portsOf()];
    const REALTIME_PEERS = ports.map(({ addresses }) => addresses.realtime).join(',');
    replicas.push(
      ...(await Promise.all(ports.map((one) => startReplica(one, { ...shared, REALTIME_PEERS }, resources)))),
    );
    fixture = await createGuild(await register(replica(0).api));
  });
  afterAll(() => resources.close());

  function authAs(caller: PeerName, index: 0 | 1, expected: PeerName = 'auth', at: ServerName = 'auth') {
    const connection = connect(AuthServiceDefinition, {
      address: replica(index).addresses[at],
      tls: { certificates: certificates.open(caller), peer: expected },
    });
    onTestFinished(() => connection.close());
    return connection.client;
  }

  it('are replicas of one stack: what one has written the other serves, and its events reach the other’s clients', async () => {
    const { token } = fixture.owner;
    const session = await gateways[1].identify(token);
    const hook = await newWebhook(replica(0).api);
    expect((await replica(1).api.post(hook.path, { content: 'across' })).status).toBe(204);
    const path = `/channels/${fixture.channel.id}/messages`;
    const sent = await fixture.owner.api.post(path, { content: 'here' });
    const { id } = sent.json<{ id: string }>();
    await session.event<{ id: string }>('MESSAGE_CREATE', (message) => message.id === id);
    const owner = apiOf(replica(1).url, { authorization: `Bearer ${token}` });
    expect((await owner.get('/users/@me')).status).toBe(200);
    expect((await owner.post('/auth/logout', {})).status).toBe(204);
    expect((await fixture.owner.api.get('/users/@me')).status, 'logged out by the other').toBe(401);
    fixture = await createGuild(await register(replica(0).api));
  });

  it.each([0, 1] as const)(
    'replica %i lets each peer make its calls of the table, and no others',
    async (index) => {
      const chat = authAs('chat', index);
      expect((await chat.getUsers({ ids: [] }, { timeoutMs })).users).toEqual([]);
      for (const name of ['chat', 'realtime', 'media', 'ratelimit'] as const) {
        const bot = { application_id: '1', name: 'Robot', owner_id: fixture.owner.user.id };
        const refused = await faultOf(authAs(name, index).createBot(bot, { timeoutMs }));
        expect(refused, name).toMatchObject({ status: Status.INTERNAL });
      }
    },
  );

  it.each([0, 1] as const)('replica %i has the name of each service at its port', async (index) => {
    for (const name of SERVERS) {
      const asAnother = name === 'auth' ? 'chat' : 'auth';
      const wrong = await faultOf(
        authAs('chat', index, asAnother, name).getUsers({ ids: [] }, { timeoutMs }),
      );
      expect(wrong, `${name} is not ${asAnother}`).toMatchObject({ status: Status.UNAVAILABLE });
    }
  });

  it('one that stops answers what it has, and hands its sessions to the other, which goes on', async () => {
    const other = await register(replica(1).api);
    const session = await gateways[0].identify(fixture.owner.token);
    const here = Array.from({ length: 20 }, () =>
      startRequest(replica(0), '/users/@me', fixture.owner.token),
    );
    const answers = Promise.all(here.map(({ status }) => status));
    await Promise.all(here.map(({ arrived }) => arrived));
    const exit = once(replica(0).child, 'exit');
    replica(0).child.kill('SIGTERM');
    const there = apiOf(replica(1).url, { authorization: `Bearer ${fixture.owner.token}` });
    const statuses: number[] = [];
    const path = `/channels/${fixture.channel.id}/messages`;
    let ended = false;
    void exit.finally(() => {
      ended = true;
    });
    while (!ended) statuses.push((await other.api.get('/users/@me')).status);
    expect(new Set(await answers)).toEqual(new Set([200]));
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(await exit).toEqual([0, null]);
    const { id } = (await there.post(path, { content: 'missed' })).json<{ id: string }>();
    const { session: resumed, missed } = await gateways[1].resume(session, session.seq());
    const isSent = (message: { id: string }): boolean => message.id === id;
    if (!missed.some(({ d }) => isSent(d as { id: string }))) await resumed.event('MESSAGE_CREATE', isSent);
  });
});

/** Sends a request. `arrived` resolves when the edge has it (`100 Continue`), `status` when the edge has answered. */
function startRequest({ url }: Replica, path: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, expect: '100-continue' };
  const sent = request(`${url}/api/v1${path}`, { headers, agent: false });
  const status = once(sent, 'response').then(
    ([response]) => (response as IncomingMessage).resume().statusCode,
  );
  const arrived = once(sent, 'continue');
  sent.end();
  return { arrived, status };
}

interface Ports {
  readonly edge: number;
  readonly websockets: string;
  readonly addresses: Readonly<Record<ServerName, string>>;
}

async function portsOf(): Promise<Ports> {
  const addressOf = async (): Promise<string> => `127.0.0.1:${await freePort()}`;
  const addresses: [string, string][] = [];
  for (const name of SERVERS) addresses.push([name, await addressOf()]);
  return {
    edge: await freePort(),
    websockets: await addressOf(),
    addresses: Object.fromEntries(addresses) as Ports['addresses'],
  };
}

async function startReplica(
  { edge, websockets, addresses }: Ports,
  settings: NodeJS.ProcessEnv,
  resources: { add(name: string, close: () => unknown): void },
): Promise<Replica> {
  const listen = SERVERS.map((name) => [ownVariable(name, 'LISTEN'), addresses[name]]);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', RUNNER], {
    env: {
      ...inheritedEnv(),
      ...settings,
      ...Object.fromEntries(listen),
      SERVICES: SERVICE_NAMES.join(','),
      PORT: String(edge),
      GATEWAY_LISTEN: websockets,
      REALTIME_ADDRESS: websockets,
      TRUSTED_PROXIES: '127.0.0.1',
      GATEWAY_REPLICAS: '2',
      RATELIMIT_REPLICAS: '2',
      RATELIMIT_KEY_SECRET: 'x'.repeat(32),
      RATELIMIT_TIMEOUT_MS: '6000',
      REDIS_TIMEOUT_MS: '3000',
      AUTH_SECRET_KEY: 'y'.repeat(32),
      CONSOLE_SECRET_KEY: 'y'.repeat(32),
      CONSOLE_LISTEN: '127.0.0.1:0',
      LOGIN_LOCATION_CHECK: 'off',
      DRAIN_DELAY_SECONDS: '1',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  resources.add('replica', async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    if (line.startsWith('runner: listening on ')) break;
  }
  child.stderr.resume();
  const url = `http://127.0.0.1:${edge}`;
  expect(said.at(-1), said.join('\n')).toMatch(/^runner: listening on /);
  return { url, api: apiOf(url), addresses, child };
}
