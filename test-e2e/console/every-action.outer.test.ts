import { ACTIONS } from '@gatehouse/console/actions';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Command, runScript } from '../support/command.ts';
import { expectOk } from '../support/expect-status.ts';
import { newWebhook, type WebhookFixture } from '../support/people.ts';
import { PROXIED, useStackInProcess } from '../support/stack.ts';
import { ConsoleApi, type LogLine } from './console.ts';

const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
const operator = new ConsoleApi(stack);

const REASON = 'A walk over all that acts.';
const ROLES = ['read', 'support', 'admin'] as const;

let fixture: WebhookFixture;
let application: { id: string };
/** The token of an operator of each role. */
const tokens = new Map<string, string>();
beforeAll(async () => {
  fixture = await newWebhook(stack.api);
  application = await expectOk(fixture.owner.api.post('/oauth2/applications', { name: 'Walked' }));
  for (const role of ROLES) {
    const body = { name: `one-${role}`, role, with_token: true };
    tokens.set(role, (await operator.ok<{ token: string }>('POST', '/operators', body)).token);
  }
});

const account = () => fixture.owner.user.id;
const identity = () => `account:${account()}`;
const override = () => ({ identity: identity(), limit: 100, window_seconds: 60 });
const job = () => ({ service: 'auth', address: stack.running.addresses.auth, name: 'expired_rows' });

/** What stands for the parameter in the path of an action. */
const idOf = (name: string): string => {
  const [noun] = name.split('.');
  if (noun === 'account') return account();
  if (noun === 'application') return application.id;
  return noun === 'webhook' ? fixture.webhook.id : fixture.guild.id;
};

const BODIES: Readonly<Record<string, () => object>> = {
  'limit.reset': () => ({ identity: identity() }),
  'limit.override': () => ({ ...override(), expires_at_ms: Date.now() + 60_000 }),
  'limit.remove-override': () => ({ identity: identity() }),
  'job.run': job,
  'operator.add': () => ({ name: 'walked', role: 'read' }),
  'operator.update': () => ({ role: 'support' }),
};

/** Actions that have nothing before them, or nothing after them. */
const WITHOUT_BEFORE = ['operator.add', 'limit.override', 'job.run'];
const WITHOUT_AFTER = ['operator.remove', 'limit.remove-override', 'job.run'];

function pathOf({ name, path }: (typeof ACTIONS)[number]): string {
  return path.replace(':id', idOf(name)).replace(':name', 'walked');
}

async function send(role: string, name: string, more: object): Promise<{ status: number; code: string }> {
  const action = ACTIONS.find((one) => one.name === name) ?? expect.unreachable();
  const response = await fetch(stack.running.console_url + pathOf(action), {
    method: action.method,
    headers: { authorization: `Bearer ${tokens.get(role)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...BODIES[name]?.(), ...more }),
  });
  const { code = '' } = (await response.json()) as { code?: string }; // its errors have a code
  return { status: response.status, code };
}

/** The lines that `act` leaves. */
async function linesOf(act: () => Promise<unknown>): Promise<LogLine[]> {
  const earlier = await operator.log();
  await act();
  return (await operator.log()).slice(earlier.length);
}

function expectChange(line: LogLine | undefined, name: string): void {
  expect(line?.before == null, `${name}: before ${JSON.stringify(line?.before)}`).toBe(
    WITHOUT_BEFORE.includes(name),
  );
  expect(line?.after == null, `${name}: after ${JSON.stringify(line?.after)}`).toBe(
    WITHOUT_AFTER.includes(name),
  );
}

describe.each(ACTIONS.map(({ name, role, reason }) => ({ name, role, reason })))(
  '$name',
  ({ name, role, reason }) => {
    it('is refused to each lower role, and leaves no line', async () => {
      for (const lower of ROLES.slice(0, ROLES.indexOf(role)))
        expect(
          await linesOf(async () =>
            expect(await send(lower, name, { reason: REASON })).toMatchObject({ status: 403 }),
          ),
        ).toEqual([]);
    });

    it.skipIf(reason === 'optional')('needs a reason', async () => {
      const lines = await linesOf(async () => {
        for (const wrong of [{}, { reason: '' }, { reason: ' \n ' }, { reason: null }, { reason: 7 }])
          expect(await send(role, name, wrong), JSON.stringify(wrong)).toMatchObject({ status: 400 });
        expect(await send(role, name, { reason: 'x'.repeat(513) })).toMatchObject({ status: 400 });
      });
      expect(lines).toEqual([]);
    });

    it('leaves one line with before and after', async () => {
      const lines = await linesOf(async () =>
        expect(await send(role, name, { reason: REASON })).toMatchObject({ status: 200 }),
      );
      expect(lines).toMatchObject([
        { operator: `one-${role}`, action: name, reason: REASON, outcome: 'done' },
      ]);
      expectChange(lines[0], name);
    });
  },
);

/** Commands that act, in an order in which each finds something to do, with the actions whose lines they leave. */
const COMMANDS: readonly (readonly [string, () => readonly string[]])[] = [
  ['account.end-sessions', () => ['accounts', 'end-sessions', account()]],
  ['account.reset-factors', () => ['accounts', 'reset-factors', account()]],
  ['account.revoke-grants', () => ['accounts', 'revoke-grants', account()]],
  ['account.suspend', () => ['accounts', 'suspend', account()]],
  ['account.restore', () => ['accounts', 'restore', account()]],
  ['application.disable', () => ['apps', 'disable', application.id]],
  ['application.enable', () => ['apps', 'enable', application.id]],
  ['webhook.disable', () => ['webhooks', 'disable', fixture.webhook.id]],
  ['webhook.enable', () => ['webhooks', 'enable', fixture.webhook.id]],
  ['guild.disable', () => ['guilds', 'disable', fixture.guild.id]],
  ['guild.enable', () => ['guilds', 'enable', fixture.guild.id]],
  ['limit.reset', () => ['limits', 'reset', identity()]],
  [
    'limit.override',
    () => ['limits', 'override', identity(), '--limit', '9', '--window', '60', '--for', '1h'],
  ],
  ['limit.remove-override', () => ['limits', 'override', identity(), '--remove']],
  ['job.run', () => ['jobs', 'run', job().service, job().name]],
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
    expect(COMMANDS.map(([name]) => name).toSorted()).toEqual(ACTIONS.map(({ name }) => name).toSorted());
  });

  it.each(COMMANDS)('%s by a command leaves one line with before and after', async (name, argsOf) => {
    const isAboutOperators = name.startsWith('operator.');
    const args = argsOf();
    const lines = await linesOf(async () => {
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

  it('without a reason do nothing', async () => {
    const lines = await linesOf(async () => {
      const { code, stderr } = await gatehouse(['accounts', 'suspend', account()]);
      expect([code, stderr()]).toEqual([2, expect.stringContaining('--reason')]);
    });
    expect(lines).toEqual([]);
  });
});
