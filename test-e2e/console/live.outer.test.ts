import { PROCESSES } from '@gatehouse/stack/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayTraffic } from '../observability/gateway-traffic.ts';
import { consecutivePorts } from '../support/consecutive-ports.ts';
import { newcomer, newWebhook, type WebhookFixture } from '../support/people.ts';
import { type OwnStack, openStack, PROXIED } from '../support/stack.ts';
import { ConsoleApi } from './console.ts';

interface Overview {
  readonly requests: readonly (number | null)[];
  readonly latency: Readonly<Record<string, { readonly p99_ms: readonly (number | null)[] }>>;
  readonly replicas: readonly { service: string; version: string; up: boolean; started_at_ms: number }[];
  readonly pools: readonly { service: string; max: number }[];
  readonly sessions: number | null;
  readonly mail_queue: number | null;
  readonly event_delay_ms: number | null;
  readonly unavailable: readonly string[];
}

/** A webhook may be executed 60 times a minute. */
const BETWEEN_EXECUTIONS_MS = 500;

describe('the console beside real processes', () => {
  let stack: OwnStack;
  let operator: ConsoleApi;
  let hook: WebhookFixture;
  beforeAll(async () => {
    const port = await consecutivePorts(PROCESSES.length);
    stack = await openStack({
      ...PROXIED,
      CONSOLE_LOCAL_OPERATOR: 'yes',
      METRICS_LISTEN: `127.0.0.1:${port}`,
    });
    operator = new ConsoleApi(stack);
    hook = await newWebhook(stack.api);
  });
  afterAll(() => stack?.close());

  const overview = () => operator.ok<Overview>('GET', '/overview');

  it('reads what each of them counts', async () => {
    await expect
      .poll(async () => (await overview()).replicas.map(({ service, up }) => [service, up]))
      .toEqual(PROCESSES.map(({ name }) => [name, true]));
    await gatewayTraffic(stack.url, hook);
    const route = 'POST /webhooks/{webhook_id}/{token}';
    const said = async () => {
      await hook.say({ content: 'x' });
      const { event_delay_ms, latency } = await overview();
      return event_delay_ms !== null && latency[route]?.p99_ms.some((value) => value !== null && value > 0);
    };
    await expect.poll(said, { interval: BETWEEN_EXECUTIONS_MS }).toBe(true);
    const now = await overview();
    expect(now.replicas.every(({ version }) => /^\d+\./.test(version))).toBe(true);
    expect(now.replicas.every(({ started_at_ms }) => Math.abs(Date.now() - started_at_ms) < 3_600_000)).toBe(
      true,
    );
    const databases = ['auth', 'chat', 'console', 'media', 'oauth2', 'webhook-delivery'];
    expect(now.pools.map(({ service }) => service)).toEqual(databases);
    expect(now.pools.every(({ max }) => max >= 2)).toBe(true);
    expect([now.sessions, now.mail_queue, now.unavailable]).toEqual([
      expect.any(Number),
      expect.any(Number),
      [],
    ]);
    await expect.poll(() => lastStatus(route)).toBe(200);
  });

  it('shows the lines of a request from the logs of all its processes, without a secret', async () => {
    const person = await newcomer(stack.api);
    const credentials = { email: person.email, password: person.password };
    const login = await stack.api.send('POST', '/auth/login', { body: credentials });
    const { token } = login.json<{ token: string }>();
    const execution = await hook.execute({ content: 'a text that nobody logs' });
    const used = await stack.api.as(`Bearer ${token}`).get('/users/@me');
    const secrets = [
      person.password,
      person.email,
      token,
      hook.webhook.token ?? '',
      'a text that nobody logs',
    ];
    expect(secrets.every((secret) => secret.length > 8)).toBe(true);
    for (const { headers } of [login, execution, used]) {
      const id = headers.get('x-request-id') ?? '';
      const lines = async () =>
        (await operator.ok<{ lines: { service: string; json: string }[] }>('GET', `/requests/${id}`)).lines;
      await expect.poll(async () => (await lines()).map(({ service }) => service)).toContain('gateway');
      const text = JSON.stringify(await lines());
      for (const secret of secrets) expect(text.includes(secret), secret.slice(0, 4)).toBe(false);
    }
  });

  it('names a process that hangs, and its service goes on afterwards', async () => {
    const pid = pidOf('chat');
    process.kill(pid, 'SIGSTOP');
    try {
      await expect.poll(() => awayIn(overview)).toEqual(['chat']);
      const { unavailable } = await operator.ok<{ unavailable: string[] }>('GET', '/jobs');
      expect(unavailable).toEqual([`chat at ${stack.running.addresses.chat}`]);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await expect.poll(() => awayIn(overview)).toEqual([]);
    expect((await operator.ok<{ unavailable: string[] }>('GET', '/jobs')).unavailable).toEqual([]);
  });

  it('has no negative rates when the edge is killed and started again', async () => {
    const edge = async () => (await overview()).replicas.find(({ service }) => service === 'gateway');
    const before = await edge();
    process.kill(pidOf('gateway'), 'SIGKILL');
    await expect
      .poll(async () => {
        const now = await edge();
        return now?.up === true && now.started_at_ms > (before?.started_at_ms ?? Infinity);
      })
      .toBe(true);
    const { length } = (await overview()).requests;
    await expect.poll(async () => (await overview()).requests.length).toBeGreaterThan(length);
    for (const rate of (await overview()).requests) expect(rate).toBeGreaterThanOrEqual(0);
  });

  async function lastStatus(route: string): Promise<number | undefined> {
    const { items } = await operator.ok<{ items: { route: string; recent: { status: number }[] }[] }>(
      'GET',
      '/routes',
    );
    return items.find((one) => one.route === route)?.recent[0]?.status;
  }

  function pidOf(name: string): number {
    return stack.running.pids()[name] ?? expect.unreachable(`${name} does not run`);
  }
});

async function awayIn(overview: () => Promise<Overview>): Promise<string[]> {
  return (await overview()).replicas.filter(({ up }) => !up).map(({ service }) => service);
}
