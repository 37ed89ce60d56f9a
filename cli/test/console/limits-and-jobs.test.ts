import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { type Ended, runCommand } from '../support/run-command.ts';

type Run = (...args: string[]) => Promise<Ended>;

const REASON = ['--reason', 'A test of commands.'] as const;
const BUCKET = 'webhook:execute';

let deployment: Deployment;
let admin: Run;
beforeAll(async () => {
  deployment = await startDeployment('cli_limits');
  admin = await deployment.operator('ada', 'admin');
});
afterAll(() => deployment.close());

const json = async (...args: string[]) => JSON.parse((await admin(...args, '--json')).stdout);

describe('limits', () => {
  let webhooks = 0;
  let webhook: string;
  beforeEach(() => {
    webhook = `webhook:${++webhooks}`;
  });
  /** Takes tokens of the webhook's bucket. */
  const charge = (cost: number) => admin('limits', 'check', BUCKET, webhook, '--cost', String(cost));

  test('top counts the decisions by bucket', async () => {
    await charge(1);
    const { code, stdout } = await admin('limits', 'top', '--once');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^memory, up$/m);
    expect(stdout).toMatch(new RegExp(`^${BUCKET} +[1-9]`, 'm'));
    const { buckets } = await json('limits', 'top', '--once');
    expect(buckets).toContainEqual(expect.objectContaining({ bucket: BUCKET }));
  });

  test('denied names who was denied, most often first', async () => {
    await charge(60);
    for (let time = 0; time < 3; time++) expect(await charge(30)).toMatchObject({ code: 1 });
    const { code, stdout } = await admin('limits', 'denied');
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^3 +${BUCKET} +${webhook} `, 'm'));
    expect(await json('limits', 'denied', '--limit', '1')).toMatchObject({ denials: 3, bucket: BUCKET });
  });

  test('lookup shows the buckets of an identity, and reset empties them', async () => {
    expect((await admin('limits', 'lookup', webhook)).stdout).toMatch(/^buckets +all are empty$/m);
    await charge(60);
    expect((await admin('limits', 'lookup', webhook)).stdout).toMatch(
      new RegExp(`^${BUCKET} +\\d+ +60 +.* ${webhook}$`, 'm'),
    );
    const { code, stdout } = await admin('limits', 'reset', webhook, ...REASON);
    expect([code, stdout]).toEqual([0, `1 bucket of ${webhook} is empty now.\n`]);
    expect(await json('limits', 'lookup', webhook)).toMatchObject({ buckets: [] });
    expect(await charge(60)).toMatchObject({ code: 0 });
  });

  test('a login name and any form of an address are identities, an ID alone is none', async () => {
    await admin('limits', 'check', 'auth:login:email', 'ada@example.com');
    expect(await json('limits', 'lookup', 'Ada@Example.com')).toMatchObject({
      identity: 'ada@example.com',
      buckets: [{ state: { bucket: 'auth:login:email' } }],
    });
    expect((await admin('limits', 'lookup', 'ip:2001:DB8::5')).stdout).toMatch(
      /^identity +ip:2001:db8::\/64$/m,
    );
    expect(await admin('limits', 'lookup', '1234')).toMatchObject({ code: 2 });
  });

  test('what is done names the identity that buckets count', async () => {
    const typed = 'ip:2001:DB8:1::5';
    const counted = 'ip:2001:db8:1::/64';
    expect((await admin('limits', 'override', typed, '--exempt', '--for', '1h', ...REASON)).stdout).toMatch(
      new RegExp(`^${counted} in all buckets: exempt until `),
    );
    for (const answer of ['has its usual limit in all buckets again', 'had no override in all buckets'])
      expect((await admin('limits', 'override', typed, '--remove', ...REASON)).stdout).toBe(
        `${counted} ${answer}.\n`,
      );
    expect((await admin('limits', 'reset', typed, ...REASON)).stdout).toBe(
      `No bucket of ${counted} had a level.\n`,
    );
  });

  test('a reason has up to 512 characters, whatever their encoding', async () => {
    const reset = (length: number) =>
      admin('limits', 'reset', webhook, '--reason', '\u{1f6d1}'.repeat(length));
    expect(await reset(512)).toMatchObject({ code: 0 });
    expect(await reset(513)).toMatchObject({ code: 2 });
  });

  test('an override holds, is listed and explained, and ends', async () => {
    const set = ['--bucket', BUCKET, '--limit', '5', '--window', '60', '--for', '1h'];
    const { code, stdout } = await admin('limits', 'override', webhook, ...set, ...REASON);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^${webhook} in ${BUCKET}: 5 per 60 s until \\S+Z\\.\n$`)),
    ]);
    expect((await admin('limits', 'overrides')).stdout).toMatch(
      new RegExp(`^${webhook} +${BUCKET} +5 per 60 s +\\S+Z +ada +${REASON[1]}$`, 'm'),
    );
    await expect.poll(() => charge(6)).toMatchObject({ code: 1 });
    const explained = await admin('limits', 'explain', BUCKET, webhook, '--cost', '6');
    expect([explained.code, explained.stdout]).toEqual([
      1,
      expect.stringContaining(`${webhook}: 5 of 5 left, empty`),
    ]);
    const remove = ['limits', 'override', webhook, '--bucket', BUCKET, '--remove', ...REASON];
    expect((await admin(...remove)).stdout).toBe(`${webhook} has its usual limit in ${BUCKET} again.\n`);
    expect((await admin(...remove)).stdout).toBe(`${webhook} had no override in ${BUCKET}.\n`);
    await expect.poll(() => charge(6)).toMatchObject({ code: 0 });
  });
});

describe('jobs', () => {
  test('are listed by process, and one service can be chosen', async () => {
    const { code, stdout, stderr } = await admin('jobs', 'list');
    expect([code, stderr]).toEqual([0, expect.stringContaining('media at 127.0.0.1:1')]);
    expect(stdout).toMatch(new RegExp(`^auth +${deployment.env.AUTH_ADDRESS} +mails +outbox +0 `, 'm'));
    const listed = await admin('jobs', 'list', '--service', 'oauth2', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({ service: 'oauth2', version: expect.any(String) });
  });

  test('of the console are among them', async () => {
    expect(await json('jobs', 'list', '--service', 'console')).toMatchObject({
      address: deployment.env.CONSOLE_ADDRESS,
      jobs: [{ name: 'expired_rows' }],
    });
    const { code } = await admin('jobs', 'run', 'console', 'expired_rows', ...REASON);
    expect(code).toBe(0);
  });

  test('run starts one, which has a last run then', async () => {
    const address = deployment.env.OAUTH2_ADDRESS;
    const { code, stdout } = await admin('jobs', 'run', 'oauth2', 'expired_rows', ...REASON);
    expect([code, stdout]).toEqual([0, `expired_rows of oauth2 at ${address} runs.\n`]);
    await expect
      .poll(async () => (await json('jobs', 'list', '--service', 'oauth2')).jobs)
      .toContainEqual(
        expect.objectContaining({ name: 'expired_rows', running: false, last_run_at_ms: expect.any(Number) }),
      );
  });

  test.each([
    ['of no process', ['realtime', 'x'], 'No process of realtime answers.'],
    ['that do not exist', ['auth', 'x'], 'auth has no job x.'],
  ])('%s end with code 1', async (_, args, text) => {
    const { code, stderr } = await admin('jobs', 'run', ...args, ...REASON);
    expect([code, stderr]).toEqual([1, expect.stringContaining(text)]);
  });

  test('need the role admin to run', async () => {
    const support = await deployment.operator('sam', 'support');
    expect(await support('jobs', 'run', 'auth', 'mails', ...REASON)).toMatchObject({ code: 1, stdout: '' });
  });
});

test('the status has the members that scripts read, and names a service that is away', async () => {
  const answer = await admin('status', '--json');
  expect(answer).toMatchObject({ code: 1, stderr: '' });
  const status = JSON.parse(answer.stdout);
  expect(Object.keys(status)).toEqual([
    'requests_per_second',
    'errors_per_second',
    'denied_per_second',
    'sessions',
    'event_delay_ms',
    'mail_queue',
    'processes',
    'waiting',
    'unavailable',
    'notices',
  ]);
  expect(Object.keys(status.processes[0])).toEqual(['service', 'address', 'version', 'up', 'started_at_ms']);
  expect(status.unavailable).toContain('media at 127.0.0.1:1');
  const { code, stdout } = await runCommand(['status'], {
    env: { ...deployment.env, GATEHOUSE_TOKEN: 'gho_x' },
  });
  expect([code, stdout]).toEqual([1, '']);
  expect((await admin('status')).stdout).toMatch(/^No answer from: .*media at 127\.0\.0\.1:1/m);
});
