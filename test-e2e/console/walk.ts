import { ACTIONS } from '@gatehouse/console/actions';
import { beforeAll, expect } from 'vitest';
import { expectOk } from '../support/expect-status.ts';
import { newWebhook, type WebhookFixture } from '../support/people.ts';
import type { OwnStack } from '../support/stack.ts';
import type { ConsoleApi, LogLine } from './console.ts';

/** What the actions of a walk are about. Read it inside tests only. */
export interface Walked {
  readonly account_id: string;
  readonly application_id: string;
  readonly webhook_id: string;
  readonly guild_id: string;
  readonly identity: string;
  readonly job: { readonly service: string; readonly address: string; readonly name: string };
}

/** The names of all actions. */
export const ACTION_NAMES = ACTIONS.map(({ name }) => name);

/** Actions that have nothing before them, or nothing after them. */
const WITHOUT_BEFORE = ['operator.add', 'limit.override', 'job.run'];
const WITHOUT_AFTER = ['operator.remove', 'limit.remove-override', 'job.run'];

/** Creates an account with an application, a guild and a webhook before the file's tests. */
export function useWalked(stack: OwnStack): () => Walked {
  let made: { readonly fixture: WebhookFixture; readonly application: { id: string } } | undefined;
  beforeAll(async () => {
    const fixture = await newWebhook(stack.api);
    const body = { name: 'Walked' };
    made = { fixture, application: await expectOk(fixture.owner.api.post('/oauth2/applications', body)) };
  });
  return () => {
    const { fixture, application } = made ?? expect.unreachable();
    const account_id = fixture.owner.user.id;
    return {
      account_id,
      application_id: application.id,
      webhook_id: fixture.webhook.id,
      guild_id: fixture.guild.id,
      identity: `account:${account_id}`,
      job: { service: 'auth', address: stack.running.addresses.auth ?? '', name: 'expired_rows' },
    };
  };
}

/** The lines that `act` leaves in the operators' log. */
export async function linesOf(operator: ConsoleApi, act: () => Promise<unknown>): Promise<LogLine[]> {
  const earlier = await operator.log();
  await act();
  return (await operator.log()).slice(earlier.length);
}

/** Expects what was before the action and after it, where it has that. */
export function expectChange(line: LogLine | undefined, name: string): void {
  expect(line?.before == null, `${name}: before ${JSON.stringify(line?.before)}`).toBe(
    WITHOUT_BEFORE.includes(name),
  );
  expect(line?.after == null, `${name}: after ${JSON.stringify(line?.after)}`).toBe(
    WITHOUT_AFTER.includes(name),
  );
}
