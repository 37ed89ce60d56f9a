import { ACTIONS } from '@gatehouse/console/actions';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROXIED, useStackInProcess } from '../support/stack.ts';
import { ConsoleApi } from './console.ts';
import { expectChange, linesOf, useWalked } from './walk.ts';

const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
const operator = new ConsoleApi(stack);
const walked = useWalked(stack);

const REASON = 'A walk over all that acts.';
const ROLES = ['read', 'support', 'admin'] as const;

/** The token of an operator of each role. */
const tokens = new Map<string, string>();
beforeAll(async () => {
  for (const role of ROLES) {
    const body = { name: `one-${role}`, role, with_token: true };
    tokens.set(role, (await operator.ok<{ token: string }>('POST', '/operators', body)).token);
  }
});

/** The bodies of the actions that take more than a reason. */
const BODIES: Readonly<Record<string, () => object>> = {
  'limit.reset': () => ({ identity: walked().identity }),
  'limit.override': () => ({
    identity: walked().identity,
    limit: 100,
    window_seconds: 60,
    expires_at_ms: Date.now() + 60_000,
  }),
  'limit.remove-override': () => ({ identity: walked().identity }),
  'job.run': () => walked().job,
  'operator.add': () => ({ name: 'walked', role: 'read' }),
  'operator.update': () => ({ role: 'support' }),
};

/** What stands for `:id` in the path of an action. */
function idOf(name: string): string {
  const { account_id, application_id, webhook_id, guild_id } = walked();
  const ids: Readonly<Record<string, string>> = {
    account: account_id,
    application: application_id,
    webhook: webhook_id,
    guild: guild_id,
  };
  return ids[name.split('.')[0] ?? ''] ?? expect.unreachable(`there is no case for ${name}`);
}

function pathOf({ name, path }: { name: string; path: string }): string {
  return path.replace(':id', () => idOf(name)).replace(':name', 'walked');
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

describe.each(ACTIONS.map(({ name, role, reason }) => ({ name, role, reason })))(
  '$name',
  ({ name, role, reason }) => {
    it.skipIf(role === ROLES[0])('is refused to each lower role, and leaves no line', async () => {
      for (const lower of ROLES.slice(0, ROLES.indexOf(role)))
        expect(
          await linesOf(operator, async () =>
            expect(await send(lower, name, { reason: REASON })).toMatchObject({ status: 403 }),
          ),
        ).toEqual([]);
    });

    it(reason === 'required' ? 'needs a reason' : 'refuses a wrong reason', async () => {
      const lines = await linesOf(operator, async () => {
        const absent = [{}, { reason: '' }, { reason: ' \n ' }, { reason: null }];
        for (const wrong of [...(reason === 'required' ? absent : []), { reason: 7 }])
          expect(await send(role, name, wrong), JSON.stringify(wrong)).toMatchObject({ status: 400 });
        expect(await send(role, name, { reason: 'x'.repeat(513) })).toMatchObject({ status: 400 });
      });
      expect(lines).toEqual([]);
    });

    it('leaves one line with before and after', async () => {
      const lines = await linesOf(operator, async () =>
        expect(await send(role, name, { reason: REASON })).toMatchObject({ status: 200 }),
      );
      expect(lines).toMatchObject([
        { operator: `one-${role}`, action: name, reason: REASON, outcome: 'done' },
      ]);
      expectChange(lines[0], name);
    });
  },
);

it('an action that fails leaves a line too', async () => {
  const lines = await linesOf(operator, async () => {
    const reply = await operator.send('POST', '/accounts/1/suspend', { reason: REASON });
    expect([reply.status, reply.json<{ code: string }>().code]).toEqual([404, 'UNKNOWN_USER']);
  });
  expect(lines).toMatchObject([{ action: 'account.suspend', target: 'account:1' }]);
  expect(lines[0]?.outcome).toMatch(/^failed: UNKNOWN_USER/);
});
