import type { BenchOptions } from '../bench.ts';
import { comparedFigures, inTurns } from '../load/in-turns.ts';
import { withFixture } from '../parts/fixture.ts';
import { cpuTimeOfChildren_us } from '../parts/processes.ts';
import { stackTimes_us } from '../parts/processor-times.ts';
import { oauthCases } from './cases.ts';
import { costs } from './cost.ts';
import { lookUps } from './look-ups.ts';
import { populateOauth2, populateOidcProvider } from './population.ts';

/** The connections to each server. */
const POOL_SIZE = '8';

/**
 * Compares introspection, and refresh with rotation, with oidc-provider: over HTTP, with a million tokens, on the same
 * PostgreSQL with fsync on. Measures rates and latencies in turns, then the processor time per request, and the
 * database's part of an introspection.
 */
export async function oauth2(options: BenchOptions): Promise<Record<string, unknown>> {
  return withFixture(async (fixture) => {
    const postgres = await fixture.postgres();
    const running = fixture.processes();
    const stack = await fixture.stack({
      database_url: postgres.url,
      env: {
        DATABASE_POOL_SIZE: POOL_SIZE,
        // Each request comes from another address, because an address may send 120 a minute.
        TRUSTED_PROXIES: '127.0.0.1',
      },
    });
    options.say('a million tokens in each database');
    await populateOauth2(postgres.url);
    const oidcProvider = await running.start('oidc-provider', {
      NODE_ENV: 'production',
      DATABASE_URL: await populateOidcProvider(postgres.url),
      DATABASE_POOL_SIZE: POOL_SIZE,
    });
    const cases = oauthCases(stack.url, `http://${oidcProvider}`);
    const results = await inTurns(cases.flat(), options);
    return {
      ...Object.fromEntries(cases.flat().map((one) => [one.name, comparedFigures(one, results)])),
      ...(await costs(
        {
          cases,
          ours: () => stackTimes_us(stack, postgres.pid),
          theirs: () => ({ peer: running.cpuTime_us(), postgres: cpuTimeOfChildren_us(postgres.pid) }),
        },
        options,
      )),
      ...(await lookUps(postgres.url, options)),
    };
  });
}
