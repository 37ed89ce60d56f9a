import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JobsProcess, startWithJob } from '../jobs-process.ts';
import { type ConsoleUnderTest, NO_SERVICE, startConsole } from '../start-console.ts';
import { commandOf, type Visitor } from '../visitor.ts';

const REASON = { reason: 'A test.' };

let one: JobsProcess;
let other: JobsProcess;
let service: ConsoleUnderTest;
let command: Visitor;
beforeAll(async () => {
  [one, other] = [await startWithJob('auth'), await startWithJob('auth')];
  service = await startConsole('console_jobs', {
    addresses: {
      ...NO_SERVICE,
      auth: `${one.address}, ${other.address}`,
      chat: 'chat.invalid:8083',
    },
  });
  command = await commandOf(service, 'admin');
});
afterAll(async () => {
  await service.close();
  for (const process of [one, other]) await process.close();
});

const run = (body: object) => command.post('/api/jobs/run', { ...REASON, ...body });

async function lastOutcome(): Promise<unknown> {
  const { rows } = await service.db.query(
    'SELECT action, target, outcome, detail FROM actions ORDER BY id DESC LIMIT 1',
  );
  return rows[0];
}

describe('the list of jobs', () => {
  it('has every replica that answers, and names every process that does not', async () => {
    const { status, body } = await command.get('/api/jobs');
    expect(status).toBe(200);
    const listed = body.processes as { service: string }[];
    expect(listed.filter((process) => process.service !== 'console')).toEqual(
      [one, other].map(({ address }) => ({
        service: 'auth',
        address,
        version: expect.stringMatching(/^\d+\./) as unknown,
        started_at_ms: expect.any(Number) as unknown,
        jobs: [
          {
            name: 'sweep',
            kind: 'periodic',
            waiting: null,
            oldest_ms: null,
            last_run_at_ms: null,
            running: false,
          },
        ],
      })),
    );
    expect(body.unavailable).toEqual([
      'ratelimit at 127.0.0.1:1',
      'chat at chat.invalid:8083',
      'oauth2 at 127.0.0.1:1',
      'media at 127.0.0.1:1',
      'realtime at 127.0.0.1:1',
      'webhook-delivery at 127.0.0.1:1',
    ]);
  });
});

describe('the console itself', () => {
  const own = async () => {
    const { processes } = (await command.get('/api/jobs')).body;
    return (processes as { service: string; address: string; jobs: { name: string }[] }[]).find(
      (process) => process.service === 'console',
    );
  };

  it('is listed with its jobs, as any process', async () => {
    expect(await own()).toMatchObject({
      address: expect.stringMatching(/^127\.0\.0\.1:[1-9]/) as unknown,
      version: expect.stringMatching(/^\d+\./) as unknown,
      jobs: [{ name: 'expired_rows', kind: 'periodic', waiting: null, oldest_ms: null }],
    });
  });

  it('runs its job now, and has no other', async () => {
    const { address } = (await own()) ?? {};
    const before_ms = Date.now();
    const job = { service: 'console', address, name: 'expired_rows' };
    expect(await run(job)).toMatchObject({ status: 200, body: {} });
    await expect
      .poll(async () => ((await own())?.jobs[0] as { last_run_at_ms?: number })?.last_run_at_ms)
      .toBeGreaterThanOrEqual(before_ms);
    expect(await run({ ...job, name: 'x' })).toMatchObject({ status: 404, body: { code: 'UNKNOWN_JOB' } });
    expect(await run({ ...job, address: '127.0.0.1:1' })).toMatchObject({ status: 404 });
  });
});

describe('a job that is run now', () => {
  it('runs at that replica alone, and the log has it', async () => {
    const { status, body } = await run({ service: 'auth', address: other.address, name: 'sweep' });
    expect([status, body]).toEqual([200, {}]);
    await expect.poll(other.runs).toBe(1);
    expect(one.runs()).toBe(0);
    expect(await lastOutcome()).toEqual({
      action: 'job.run',
      target: 'job:auth/sweep',
      outcome: 'done',
      detail: { address: other.address },
    });
    const { processes } = (await command.get('/api/jobs')).body;
    expect(
      (processes as { service: string; jobs: { last_run_at_ms: number | null }[] }[])
        .filter((process) => process.service === 'auth')
        .map(({ jobs }) => jobs[0]?.last_run_at_ms),
    ).toEqual([null, expect.any(Number)]);
  });

  it.each([
    ['ratelimit', '127.0.0.1:1'],
    ['chat', 'chat.invalid:8083'],
  ])('at a process of %s that is away is 503, and names it', async (name, address) => {
    const { status, body, headers } = await run({ service: name, address, name: 'sweep' });
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
    expect(body.message).toBe(`${name} at ${address} does not answer. Try again shortly.`);
    expect(await lastOutcome()).toMatchObject({
      target: `job:${name}/sweep`,
      outcome: expect.stringMatching(/^unknown: SERVICE_UNAVAILABLE: /) as unknown,
    });
  });

  it('that a process does not have is 404', async () => {
    const { status, body } = await run({ service: 'auth', address: one.address, name: 'nothing' });
    expect([status, body.code]).toEqual([404, 'UNKNOWN_JOB']);
  });

  it('at an address that is none of the service is refused without a call', async () => {
    for (const [name, address] of [
      ['auth', '127.0.0.1:1'],
      ['ratelimit', one.address],
      ['nothing', one.address],
      ['__proto__', one.address],
      ['auth', '169.254.169.254:80'],
    ]) {
      const { status, body } = await run({ service: name, address, name: 'sweep' });
      expect([status, body.code, body.message]).toEqual([404, 'NOT_FOUND', 'There is no such process.']);
    }
    expect(one.runs()).toBe(0);
  });

  it('without service, address, name or reason is refused', async () => {
    const { status, body } = await command.post('/api/jobs/run', { name: 'x'.repeat(300) });
    expect(status).toBe(400);
    expect((body.errors as { path: string }[]).map(({ path }) => path)).toEqual([
      'service',
      'address',
      'name',
      'reason',
    ]);
  });
});

it('a replica that ends is named, and the others stay', async () => {
  const ended = await startWithJob('media');
  const own = await startConsole('console_jobs_ended', {
    addresses: { ...NO_SERVICE, auth: one.address, media: ended.address },
  });
  try {
    const visitor = await commandOf(own, 'reader', 'read');
    const servicesOf = async () =>
      ((await visitor.get('/api/jobs')).body.processes as { service: string }[]).map(
        (process) => process.service,
      );
    expect(await servicesOf()).toEqual(['auth', 'media', 'console']);
    await ended.close();
    expect(await servicesOf()).toEqual(['auth', 'console']);
    expect((await visitor.get('/api/jobs')).body.unavailable).toContain(`media at ${ended.address}`);
  } finally {
    await own.close();
  }
});
