import { expect, onTestFinished, test } from 'vitest';
import { recordingServer } from '../support/recording-server.ts';
import { runCommand } from '../support/run-command.ts';

const STARTED_MS = Date.UTC(2026, 0, 2);
const OVERVIEW = {
  requests: [1, 12.34],
  errors: [0, 0.5],
  denied: { 'webhook:execute': [0, 3], report: [1, 0.25] },
  sessions: 1_234,
  event_delay_ms: 40,
  mail_queue: null,
  replicas: [
    { service: 'auth', address: '10.0.0.1:8082', version: '1.2.3', up: true, started_at_ms: STARTED_MS },
    { service: 'chat', address: '10.0.0.2:8083', version: '', up: false, started_at_ms: 0 },
  ],
  unavailable: [],
  notices: ['Set more.'],
};
const JOBS = {
  processes: [
    {
      service: 'auth',
      address: '10.0.0.1:8082',
      jobs: [
        { name: 'mails', kind: 'outbox', waiting: 2, oldest_ms: 90_000 },
        { name: 'retention', kind: 'periodic' },
      ],
    },
  ],
  unavailable: ['chat at 10.0.0.2:8083'],
};

async function run(overview: object, jobs: object, ...args: string[]) {
  const server = await recordingServer(({ path }) => ({ body: path === '/api/jobs' ? jobs : overview }));
  onTestFinished(server.close);
  const env = { GATEHOUSE_CONSOLE_URL: server.url, GATEHOUSE_TOKEN: 'gho_test' };
  return runCommand(['status', ...args], { env });
}

test('the numbers of the last step, the processes, and what waits', async () => {
  const { code, stdout } = await run(OVERVIEW, JOBS);
  expect(code).toBe(1);
  expect(stdout).toBe(
    [
      'requests          12.3/s',
      'errors            0.5/s',
      'denied by limits  3.3/s',
      'Gateway sessions  1,234',
      'event delay       0.040 s',
      '',
      'SERVICE  ADDRESS        VERSION  STATE      SINCE',
      'auth     10.0.0.1:8082  1.2.3    up         2026-01-02T00:00:00.000Z',
      'chat     10.0.0.2:8083  -        NO ANSWER  -',
      '',
      'Outboxes',
      'SERVICE  JOB    WAITING  OLDEST',
      'auth     mails  2        1 min 30 s',
      '',
      'No answer from: chat at 10.0.0.2:8083',
      '',
      'Set more.',
      '',
    ].join('\n'),
  );
});

test('as JSON, with null for what is unknown', async () => {
  const up = { ...OVERVIEW, requests: [], replicas: OVERVIEW.replicas.slice(0, 1) };
  const { code, stdout } = await run(up, { processes: [], unavailable: [] }, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    requests_per_second: null,
    errors_per_second: 0.5,
    denied_per_second: null,
    sessions: 1_234,
    mail_queue: null,
    processes: [{ service: 'auth', up: true }],
    waiting: [],
    unavailable: [],
  });
});
