import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { runCommand, startCommand } from '../support/run-command.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment('cli_events');
  await deployment.db.auth.query(
    "INSERT INTO accounts (id, username, username_key) VALUES (7, 'ann', 'ann'), (8, 'ben', 'ben')",
  );
});
afterAll(() => deployment.close());

let sessions = 100;

/** Ends a new session of an account: auth writes CREDENTIAL_ENDED. */
async function endSession(account_id: string): Promise<void> {
  const token_hash = createHash('sha256').update(String(++sessions)).digest();
  await deployment.db.auth.query('INSERT INTO sessions (id, account_id, token_hash) VALUES ($1, $2, $3)', [
    String(sessions),
    account_id,
    token_hash,
  ]);
  const run = await deployment.operator(`op${sessions}`, 'support');
  expect(await run('accounts', 'end-sessions', account_id, '--reason', 'test')).toMatchObject({ code: 0 });
}

test('new events of the logs are lines, until the count', async () => {
  const following = startCommand(
    ['events', '--follow', '--account', '7', '--types', 'credential_ended', '--count', '2', '--json'],
    { env: deployment.env },
  );
  // Its first event shows that it follows the log.
  const until = Date.now() + 20_000;
  while (following.stdout() === '' && Date.now() < until) await endSession('7');
  await endSession('8');
  await endSession('7');
  const { code, stdout, stderr } = await following.ended;
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(2);
  for (const line of lines)
    expect(line).toMatchObject({
      at: expect.stringMatching(/Z$/),
      log: 'auth',
      type: 'CREDENTIAL_ENDED',
      account_ids: ['7'],
      payload: { credential_id: expect.any(String) },
    });
});

test('an interrupt ends it with code 0, and --for after its time', async () => {
  const following = startCommand(['events'], { env: deployment.env });
  following.interrupt();
  expect(await following.ended).toMatchObject({ code: 0, stderr: '' });
  expect(await runCommand(['events', '--for', '1'], { env: deployment.env })).toMatchObject({ code: 0 });
});

test('a service that does not answer is named', async () => {
  const env = { ...deployment.env, CHAT_ADDRESS: '127.0.0.1:1' };
  const { code, stderr } = await runCommand(['events'], { env });
  expect([code, stderr]).toEqual([3, expect.stringContaining('127.0.0.1:1: The chat service')]);
});
