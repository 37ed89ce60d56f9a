import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { newWebhook } from '../support/people.ts';
import { longAnswers } from './requests/long-answers.ts';
import { ATTACKER, LONG, useAttackSetup } from './support/attack-setup.ts';
import { expectWithstood } from './support/expect-withstood.ts';
import { validRequests } from './support/valid-requests.ts';

const database = useDatabase();
/** Without rate limits most requests reach the services. */
const setup = useAttackSetup(
  {
    RATE_LIMITS: 'off',
    NODE_ENV: 'development',
    TRUSTED_PROXIES: '127.0.0.1/32',
    LOGIN_LOCATION_CHECK: 'off',
  },
  database,
);
longAnswers(setup, database);
let valid: string[] = [];
beforeAll(async () => {
  valid = validRequests(await newWebhook(setup.stack.api));
});

describe('mutated valid requests', () => {
  it('are answered, and never with a server error', async () => {
    const seed = randomInt(1, 2 ** 31);
    console.log(`seed ${seed}`);
    const all = LONG || process.env.CI !== undefined;
    const requests = all ? 100_000 : 20_000;
    const order = {
      attack: 'mutate',
      from: [ATTACKER],
      connections: 32,
      requests,
      seed,
      valid,
      seconds: all ? 600 : 100,
    } as const;
    const [report] = await expectWithstood(setup, order);
    expect(report?.counts.requests, 'all were sent in time').toBe(requests);
  }, 660_000);
});
