import { describe, expect, it } from 'vitest';
import { type Command, runScript } from '../support/command.ts';
import { PROXIED, useStackInProcess } from '../support/stack.ts';
import { ConsoleApi } from './console.ts';
import { ACTION_NAMES, expectChange, linesOf, useWalked } from './walk.ts';

const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
const operator = new ConsoleApi(stack);
const walked = useWalked(stack);

const REASON = 'A walk over all commands.';
const OVERRIDE = ['--limit', '9', '--window', '60', '--for', '1h'];

/** Commands that act, in an order in which each finds something to do, with the actions whose lines they leave. */
const COMMANDS: readonly (readonly [string, () => readonly string[]])[] = [
  ['account.end-sessions', () => ['accounts', 'end-sessions', walked().account_id]],
  ['account.reset-factors', () => ['accounts', 'reset-factors', walked().account_id]],
  ['account.revoke-grants', () => ['accounts', 'revoke-grants', walked().account_id]],
  ['account.suspend', () => ['accounts', 'suspend', walked().account_id]],
  ['account.restore', () => ['accounts', 'restore', walked().account_id]],
  ['application.disable', () => ['apps', 'disable', walked().application_id]],
  ['application.enable', () => ['apps', 'enable', walked().application_id]],
  ['webhook.disable', () => ['webhooks', 'disable', walked().webhook_id]],
  ['webhook.enable', () => ['webhooks', 'enable', walked().webhook_id]],
  ['guild.disable', () => ['guilds', 'disable', walked().guild_id]],
  ['guild.enable', () => ['guilds', 'enable', walked().guild_id]],
  ['limit.reset', () => ['limits', 'reset', walked().identity]],
  ['limit.override', () => ['limits', 'override', walked().identity, ...OVERRIDE]],
  ['limit.remove-override', () => ['limits', 'override', walked().identity, '--remove']],
  ['job.run', () => ['jobs', 'run', walked().job.service, walked().job.name]],
  ['operator.add', () => ['operators', 'add', 'typed', '--role', 'read']],
  ['operator.update', () => ['operators', 'update', 'typed', '--role', 'support']],
  ['operator.remove', () => ['operators', 'remove', 'typed']],
];

/** Runs `gatehouse` against the stack, which it finds by its data folder. */
async function gatehouse(args: readonly string[]): Promise<Command & { code: number | null }> {
  const command = runScript('cli/src/main.ts', [...args], { DATA_DIR: stack.data_dir });
  const { code } = await command.ended;
  return { ...command, code };
}

describe('the commands', () => {
  it('cover every action', () => {
    expect(COMMANDS.map(([name]) => name).toSorted()).toEqual(ACTION_NAMES.toSorted());
  });

  it.each(COMMANDS)('%s by a command leaves one line with before and after', async (name, argsOf) => {
    const isAboutOperators = name.startsWith('operator.');
    const args = argsOf();
    const lines = await linesOf(operator, async () => {
      const { code, stderr } = await gatehouse([...args, ...(isAboutOperators ? [] : ['--reason', REASON])]);
      expect([code, stderr()]).toEqual([0, '']);
    });
    expect(lines).toMatchObject([
      {
        operator: isAboutOperators ? 'certificate:admin' : 'local',
        action: name,
        reason: isAboutOperators ? '' : REASON,
        outcome: 'done',
      },
    ]);
    expectChange(lines[0], name);
  });

  it('status and doctor find nothing wrong with a whole deployment', async () => {
    const status = await gatehouse(['status', '--json']);
    expect([status.code, status.stderr()]).toEqual([0, '']);
    const { processes, unavailable } = JSON.parse(status.stdout());
    expect(unavailable).toEqual([]);
    expect(processes).toContainEqual(expect.objectContaining({ service: 'console', up: true }));
    const doctor = await gatehouse(['doctor']);
    expect([doctor.code, doctor.stderr()]).toEqual([0, '']);
    expect(doctor.stdout()).toMatch(/^0 problems, /m);
  });

  it('without a reason do nothing', async () => {
    const lines = await linesOf(operator, async () => {
      const { code, stderr } = await gatehouse(['accounts', 'suspend', walked().account_id]);
      expect([code, stderr()]).toEqual([2, expect.stringContaining('--reason')]);
    });
    expect(lines).toEqual([]);
  });
});
