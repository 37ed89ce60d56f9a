import { fileURLToPath } from 'node:url';
import { type TestDatabase, testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { PROCESS_SETTINGS } from '@gatehouse/dev-env/processes/process-settings';
import { JobsServiceDefinition } from '@gatehouse/proto/kit/jobs';
import type { PeerRules } from '@gatehouse/proto/kit/peer-rules';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../src/log.ts';
import { openOutbox } from '../../src/outbox.ts';
import { periodicJob } from '../../src/periodic-job.ts';
import { startProcess } from '../../src/process/start-process.ts';
import { connect, type Transport } from '../../src/rpc.ts';
import { LOCAL } from '../support/echo-service.ts';

const MIGRATIONS = fileURLToPath(new URL('../fixtures/jobs', import.meta.url));
const NEVER_MS = 2 ** 31 - 1;
const timeoutMs = 10_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(MIGRATIONS, 'jobs');
});
afterAll(() => database.drop());

const console_only: PeerRules = {
  allows: (peer, path) => peer === 'console' && path.startsWith('/kit.v1.JobsService/'),
  mayActForCallers: () => false,
};

/** A process with an outbox whose receiver is away, and a periodic job that runs until `release` is called. */
async function startWithJobs() {
  const gates: PromiseWithResolvers<void>[] = [];
  const sent: string[] = [];
  const running = await startProcess(
    { name: 'letters', config: PROCESS_SETTINGS, log: silentLogger, local: LOCAL },
    async (runtime) => {
      const db = await runtime.openDatabase({
        url: database.database_url,
        pool_size: 3,
        migrations: MIGRATIONS,
        outboxes: [{ table: 'letters', since: 'written_at', where: 'NOT is_sent' }, 'parcels'],
      });
      await db.query('TRUNCATE letters; TRUNCATE parcels');
      await db.query(
        `INSERT INTO letters VALUES ('old', now() - interval '1 hour', false), ('sent', now() - interval '1 day', true)`,
      );
      const outbox = openOutbox<string>({
        rows: {
          claim: async () =>
            (await db.query<{ name: string }>('SELECT name FROM letters WHERE NOT is_sent')).rows.map(
              ({ name }) => name,
            ),
          complete: async (name) => {
            await db.query('UPDATE letters SET is_sent = true WHERE name = $1', [name]);
          },
        },
        deliver: async (name) => sent.push(name),
        what: 'letters',
        log: silentLogger,
      });
      runtime.addJob('letters', outbox);
      const sweep = periodicJob(NEVER_MS, () => {
        const gate = Promise.withResolvers<void>();
        gates.push(gate);
        return gate.promise;
      });
      runtime.addJob('sweep', sweep);
      return runtime.serve('127.0.0.1:0', [], console_only);
    },
  );
  onTestFinished(() => {
    for (const { resolve } of gates) resolve();
    return running.close();
  });
  return { address: running.address, sent, gates };
}

function jobsAt(address: string, kind: Transport | 'direct', name = 'console') {
  const link = kind === 'direct' ? { local: { servers: LOCAL, name } } : { transport: kind };
  const connection = connect(JobsServiceDefinition, { address, ...link });
  onTestFinished(() => connection.close());
  return {
    list: async () => connection.client.listJobs({}, { timeoutMs }),
    run: (job: string) => connection.client.runJob({ name: job }, { timeoutMs }),
    job: async (job: string) =>
      (await connection.client.listJobs({}, { timeoutMs })).jobs.find(({ name }) => name === job),
  };
}

describe.each(['stream', 'unary', 'direct'] as const)('JobsService over %s', (kind) => {
  test('names the process, and says what waits in each outbox and since when', async () => {
    const { address } = await startWithJobs();
    const before_ms = Date.now();
    const { jobs, service, version, started_at_ms } = await jobsAt(address, kind).list();
    expect({ service, version }).toEqual({ service: 'letters', version: expect.stringMatching(/^\d+\.\d+/) });
    expect(started_at_ms).toBeLessThanOrEqual(before_ms);
    expect(jobs).toEqual([
      {
        name: 'letters',
        kind: 'outbox',
        waiting: 1,
        oldest_ms: expect.any(Number),
        last_run_at_ms: null,
        running: false,
      },
      {
        name: 'sweep',
        kind: 'periodic',
        waiting: null,
        oldest_ms: null,
        last_run_at_ms: null,
        running: false,
      },
    ]);
    expect(Math.round((jobs[0]?.oldest_ms ?? 0) / 3_600_000)).toBe(1);
  });

  test('runs a job on demand; one that runs already runs once more afterwards', async () => {
    const { address, gates } = await startWithJobs();
    const { run, job } = jobsAt(address, kind);
    const before_ms = Date.now();
    await run('sweep');
    expect(await job('sweep')).toMatchObject({ running: true });
    await run('sweep');
    await run('sweep');
    expect(gates).toHaveLength(1);
    gates[0]?.resolve();
    await expect.poll(() => gates).toHaveLength(2);
    gates[1]?.resolve();
    await expect.poll(() => job('sweep')).toMatchObject({ running: false });
    expect(gates).toHaveLength(2);
    expect((await job('sweep'))?.last_run_at_ms).toBeGreaterThanOrEqual(before_ms);
  });

  test('sends the rows of an outbox on demand', async () => {
    const { address, sent } = await startWithJobs();
    const { run, job } = jobsAt(address, kind);
    await run('letters');
    await expect.poll(() => job('letters')).toMatchObject({ waiting: 0, running: false });
    expect(await job('letters')).toMatchObject({ oldest_ms: null, last_run_at_ms: expect.any(Number) });
    expect(sent).toEqual(['old']);
  });

  test('refuses the name of no job', async () => {
    const { address } = await startWithJobs();
    await expect(jobsAt(address, kind).run('nothing')).rejects.toMatchObject({ reason: 'UNKNOWN_JOB' });
  });
});

test('peers that the rules do not name may neither list nor run jobs', async () => {
  const { address } = await startWithJobs();
  const { list, run } = jobsAt(address, 'direct', 'gateway');
  const denied = { cause: { message: 'the peer denies this call to this process' } };
  await expect(list()).rejects.toMatchObject(denied);
  await expect(run('sweep')).rejects.toMatchObject(denied);
});
