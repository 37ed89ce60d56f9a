import type { ChargeSet, Denial } from '@gatehouse/proto/ratelimit';
import { expect, test } from 'vitest';

/** Decides a check while the store does not answer. */
export type AskDegraded = (sets: ChargeSet[]) => Promise<Denial | undefined>;

/** The policies of rows that the tests change; the others are local. */
export const CHANGED_POLICIES = { 'gif:search': 'open', report: 'closed' } as const;
/** Processes that share each limit. */
export const REPLICAS = 4;

/** One charge: a bucket, an identity, and a cost. */
type Named = readonly [bucket: string, identity: string, cost?: number];

let identities = 0;
const somebody = (): string => `account:${process.pid}.${Date.now()}:${++identities}`;

/**
 * Declares the decisions of ratelimit while its store does not answer (docs/rate-limits.md#failure-policies), with the
 * built-in reference and CHANGED_POLICIES, as one of REPLICAS.
 */
export function degradedContract(ask: () => AskDegraded): void {
  const denialOf = (...sets: (readonly Named[])[]): Promise<Denial | undefined> =>
    ask()(
      sets.map((set) => ({
        charges: set.map(([bucket, identity, cost]) => ({
          bucket,
          identities: [identity],
          ...(cost && { cost }),
        })),
      })),
    );

  test('local: its share of the limit is admitted, exactly, and a denial names the whole limit', async () => {
    const portal: Named = ['premium:portal', somebody()]; // 20 per hour, shared by 4
    const answers = await Promise.all(Array.from({ length: 30 }, () => denialOf([portal])));
    expect(answers.filter((denial) => denial === undefined)).toHaveLength(5);
    const denial = answers.find((answer) => answer !== undefined);
    expect(denial).toMatchObject({ bucket: 'premium:portal', limit: 20 });
    expect(denial?.retry_after_us).toBeGreaterThan(700_000_000); // a token of 5 per hour
    expect(denial?.retry_after_us).toBeLessThanOrEqual(720_000_000);
  });

  test('local: a limit below the number of replicas is one, and a cost above the share takes all of it', async () => {
    const orig: Named = ['email_change:orig', somebody()]; // 3 per 15 min
    expect(await denialOf([orig])).toBeUndefined();
    expect(await denialOf([orig])).toMatchObject({ bucket: 'email_change:orig', limit: 3 });
    const whole: Named = ['guild:list', somebody(), 40];
    expect(await denialOf([whole])).toBeUndefined();
    expect(await denialOf([whole])).toMatchObject({ bucket: 'guild:list' });
  });

  test('open admits everything, closed denies for a second, and a set of both is denied and charges nothing', async () => {
    const open: Named = ['gif:search', somebody()];
    for (let i = 0; i < 60; i++) expect(await denialOf([open])).toBeUndefined();
    const closed: Named = ['report', somebody()];
    const list: Named = ['guild:list', somebody(), 40];
    expect(await denialOf([open, list, closed])).toEqual({
      bucket: 'report',
      limit: 10,
      retry_after_us: 1_000_000,
      empty_after_us: 1_000_000,
    });
    expect(await denialOf([list])).toBeUndefined();
  });

  test('a set that is closed reports a longer wait of another of its buckets', async () => {
    const create: Named = ['guild:create', somebody()]; // 10 per 60 s, shared by 4: one in 30 s
    for (let n = 0; n < 2; n++) expect(await denialOf([create])).toBeUndefined();
    const denial = await denialOf([['report', somebody()], create]);
    expect(denial).toMatchObject({ bucket: 'guild:create', limit: 10 });
    expect(denial?.retry_after_us).toBeGreaterThan(25_000_000);
    expect(denial?.retry_after_us).toBeLessThanOrEqual(30_000_000);
  });

  test('an earlier set stays charged if a later one is closed', async () => {
    const list: Named = ['guild:list', somebody(), 40];
    expect(await denialOf([list], [['report', somebody()]])).toMatchObject({ bucket: 'report' });
    expect(await denialOf([list])).toMatchObject({ bucket: 'guild:list' });
  });
}
