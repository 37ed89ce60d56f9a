import { readFileSync } from 'node:fs';
import { testCertificates } from '@gatehouse/dev-env/certificates';
import { faultOf } from '@gatehouse/dev-env/faults';
import { Status } from '@gatehouse/kit/fault';
import { connect } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { PEERS } from '@gatehouse/proto/peers';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useGateway } from './gateway/support/use-gateway.ts';
import { createGuild, type GuildFixture, newWebhook, register } from './support/people.ts';
import { type OwnStack, openStack, PROXIED } from './support/stack.ts';

/** Only this group calls ratelimit, so no connection should reach it. */
const FRONT = ['gateway', 'ratelimit', 'auth', 'chat', 'console'] as const;
const BACK = ['oauth2', 'webhook-delivery', 'media', 'realtime'] as const;
const timeoutMs = 5_000;

describe('services that share two processes, with mutual TLS', () => {
  const opened: { stack?: OwnStack } = {};
  const stack = () => opened.stack ?? expect.unreachable('it does not run');
  const gateway = useGateway({
    get url() {
      return stack().url;
    },
    get api() {
      return stack().api;
    },
    get data_dir() {
      return stack().data_dir;
    },
  });
  let certificates: Awaited<ReturnType<typeof testCertificates>>;
  let fixture: GuildFixture;

  beforeAll(async () => {
    certificates = await testCertificates(...PEERS);
    const env = { ...PROXIED, RPC_TLS_DIR: certificates.folder, DRAIN_DELAY_SECONDS: '1' };
    opened.stack = await openStack(env, undefined, undefined, { shared_processes: [FRONT, BACK] });
    fixture = await createGuild(await register(stack().api));
  });
  afterAll(async () => {
    await opened.stack?.close();
    certificates?.close();
  });

  function clientAs<const D extends typeof AuthServiceDefinition | typeof RatelimitServiceDefinition>(
    service: D,
    name: 'auth' | 'ratelimit',
    caller: string,
  ) {
    const connection = connect(service, {
      address: stack().running.addresses[name] ?? '',
      tls: { certificates: certificates.open(caller), peer: name },
    });
    onTestFinished(() => connection.close());
    return connection.client;
  }

  it('are in the process of their group', () => {
    const pids = stack().running.pids();
    const pidsOf = (group: readonly string[]) => new Set(group.map((name) => pids[name]));
    expect([pidsOf(FRONT).size, pidsOf(BACK).size]).toEqual([1, 1]);
    expect(new Set([...pidsOf(FRONT), ...pidsOf(BACK)]).size).toBe(2);
  });

  it('take a story through both: a webhook’s message reaches the Gateway', async () => {
    const session = await gateway.identify(fixture.owner.token);
    const hook = await newWebhook(stack().api);
    expect((await stack().api.post(hook.path, { content: 'across' })).status).toBe(204);
    const sent = await fixture.owner.api.post(`/channels/${fixture.channel.id}/messages`, {
      content: 'here',
    });
    const { id } = sent.json<{ id: string }>();
    await session.event<{ id: string }>('MESSAGE_CREATE', (message) => message.id === id);
  });

  it('call each other without connections', async () => {
    await fixture.owner.api.get('/users/@me');
    const port = Number(stack().running.addresses.ratelimit?.split(':')[1]);
    expect(connectionsTo(port)).toBe(0);
    const auth = Number(stack().running.addresses.auth?.split(':')[1]);
    expect(connectionsTo(auth), 'from the other process').toBeGreaterThan(0);
  });

  it('keep the access rules of their names for callers from elsewhere', async () => {
    const platform = clientAs(RatelimitServiceDefinition, 'ratelimit', 'platform');
    expect((await platform.listBuckets({}, { timeoutMs })).buckets.length).toBeGreaterThan(0);
    const realtime = clientAs(RatelimitServiceDefinition, 'ratelimit', 'realtime');
    expect(await faultOf(realtime.listBuckets({}, { timeoutMs }))).toMatchObject({ status: Status.INTERNAL });
    const chat = clientAs(AuthServiceDefinition, 'auth', 'chat');
    expect((await chat.getUsers({ ids: [] }, { timeoutMs })).users).toEqual([]);
  });

  it('answer everything that arrives within the drain delay, and then stop', async () => {
    const busy = Array.from({ length: 20 }, () => fixture.owner.api.get('/users/@me'));
    const answers = Promise.all(busy);
    await stack().close();
    const statuses = (await answers).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    delete opened.stack;
  });
});

/** Established TCP connections whose local port is this one. */
function connectionsTo(port: number): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) && state === '01').length;
}
