import { afterEach, describe, expect, it } from 'vitest';
import { metricsProcess } from '../overview/metrics-process.ts';
import { type ConsoleUnderTest, IN_TIME, startConsole } from '../start-console.ts';
import { commandOf, newOperator, Visitor } from '../visitor.ts';

const services: ConsoleUnderTest[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});

async function consoleWith(...args: Parameters<typeof startConsole>): Promise<[ConsoleUnderTest, Visitor]> {
  const service = await startConsole(...args);
  services.push(service);
  return [service, await commandOf(service, 'reader', 'read')];
}

/** A page that follows the overview. */
interface Follower {
  readonly status: number;
  /** The data of the events so far. */
  events(): string[];
  /** How the stream ended; undefined while it goes on. */
  end(): 'complete' | 'cut off' | undefined;
  leave(): void;
}

async function follow(service: ConsoleUnderTest, name: string): Promise<Follower> {
  const { token } = await newOperator(service, name, 'read');
  return followAs(service, token);
}

async function followAs({ url }: ConsoleUnderTest, token: string): Promise<Follower> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/overview/stream`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  });
  let text = '';
  let end: 'complete' | 'cut off' | undefined;
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  read().then(
    () => {
      end = 'complete';
    },
    () => {
      end = 'cut off';
    },
  );
  return {
    status: response.status,
    events: () => [...text.matchAll(/^event: snapshot\ndata: (.*)\n\n/gm)].map(([, data = '']) => data),
    end: () => end,
    leave: () => leaving.abort(),
  };
}

describe('the overview', () => {
  it('names the processes that are away, and the services', async () => {
    const [edge, away] = [await metricsProcess('9.9.9'), await metricsProcess()];
    away.leave();
    const [, command] = await consoleWith('console_overview', {
      metrics: [
        { service: 'gateway', address: edge.address },
        { service: 'auth', address: away.address },
      ],
    });
    await expect
      .poll(async () => (await command.get('/api/overview')).body.replicas)
      .toEqual([
        { service: 'gateway', address: edge.address, version: '9.9.9', up: true, started_at_ms: 0 },
        { service: 'auth', address: away.address, version: '', up: false, started_at_ms: 0 },
      ]);
    const { body } = await command.get('/api/overview?window=1h');
    expect(body).toMatchObject({
      prometheus: false,
      step_ms: 5_000,
      times: [],
      sessions: null,
      event_delay_ms: null,
      mail_queue: null,
      webhook_posts: null,
      noisy: { webhooks: [], denied: [], applications: [] },
      unavailable: ['oauth2', 'ratelimit', 'webhook-delivery'],
      notices: [],
    });
  });

  it('without metrics says how to get them, and asks the processes themselves', async () => {
    const [, command] = await consoleWith('console_no_metrics');
    const { body } = await command.get('/api/overview');
    expect(body.notices).toEqual([
      expect.stringContaining('Set METRICS_LISTEN of the processes, and CONSOLE_METRICS'),
    ]);
    expect(
      (body.replicas as { service: string; up: boolean }[]).map(({ service, up }) => [service, up]),
    ).toEqual([
      ['console', true],
      ...['ratelimit', 'auth', 'chat', 'oauth2', 'media', 'realtime', 'webhook-delivery'].map((name) => [
        name,
        false,
      ]),
    ]);
  });

  it('refuses windows that it does not have', async () => {
    const [, command] = await consoleWith('console_windows');
    for (const [window, message] of [
      ['6h', 'Windows of more than an hour need Prometheus: set PROMETHEUS_URL.'],
      ['2h', 'window must be 1h, 6h, 1d or 7d.'],
      ['__proto__', undefined],
      ['toString', 'window must be 1h, 6h, 1d or 7d.'],
    ]) {
      const { status, body } = await command.get(`/api/overview?window=${window}`);
      expect(status, window).toBe(400);
      if (message !== undefined) expect(body.message).toBe(message);
    }
  });
});

describe('the stream of the overview', () => {
  it('brings each step to all pages, with its requests', async () => {
    const edge = await metricsProcess();
    const metrics = [{ service: 'gateway', address: edge.address }];
    const [service, command] = await consoleWith('console_stream', { metrics });
    const pages = [await follow(service, 'kim'), await follow(service, 'lee')];
    const counting = setInterval(() => edge.request('/users/@me', 0.005), 20);
    try {
      const latest = () => pages.map((page) => JSON.parse(page.events().at(-1) ?? '{"times":[]}'));
      await expect.poll(() => latest().every(({ requests }) => requests?.[0] > 0)).toBe(true);
      expect(latest()[0]).toMatchObject({
        times: [expect.any(Number)],
        errors: [0],
        replicas: [{ up: true }],
      });
      const { body } = await command.get('/api/overview');
      expect(Object.keys(latest()[0]).toSorted()).toEqual(Object.keys(body).toSorted());
    } finally {
      clearInterval(counting);
    }
  });

  it('ends for an operator who is removed, and not for others', async () => {
    const [service] = await consoleWith('console_stream_removed');
    const [kim, lee] = [await follow(service, 'kim'), await follow(service, 'lee')];
    await service.operators.removeOperator({ name: 'kim' }, IN_TIME);
    await expect.poll(kim.end).toBe('complete');
    expect(lee.end()).toBe(undefined);
  });

  it('is refused without a sign-in, beyond 16 pages of an operator, and as HEAD', async () => {
    const [service, command] = await consoleWith('console_stream_bound');
    expect((await followAs(service, 'gho_wrong')).status).toBe(401);
    const { token } = await newOperator(service, 'kim', 'read');
    const headers = { authorization: `Bearer ${token}` };
    const head = await fetch(`${service.url}/api/overview/stream`, { method: 'HEAD', headers });
    expect(head.status).toBe(404);
    const pages = await Promise.all(Array.from({ length: 16 }, () => followAs(service, token)));
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
    const lee = await follow(service, 'lee');
    expect(lee.end()).toBe(undefined);
    const kim = new Visitor(service, { headers });
    const refused = await kim.get('/api/overview/stream');
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '1',
    ]);
    expect((await command.get('/api/overview')).status).toBe(200);
    pages[0]?.leave();
    await expect
      .poll(async () => {
        const page = await followAs(service, token);
        page.leave();
        return page.status;
      })
      .toBe(200);
  });

  it('ends when the process stops, and is not cut off', async () => {
    const service = await startConsole('console_stream_stop');
    const pages = [await follow(service, 'kim'), await follow(service, 'lee')];
    await service.close();
    for (const page of pages) await expect.poll(page.end).toBe('complete');
  });
});
