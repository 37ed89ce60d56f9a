import type { BenchOptions } from '../../bench.ts';
import { type ComparedCase, measureGroups } from '../../load/in-turns.ts';
import { oauthCases } from '../../oauth2/cases.ts';
import { populateOauth2, populateOidcProvider } from '../../oauth2/population.ts';
import { withFixture } from '../../parts/fixture.ts';
import { bothModes, byConnections } from './modes.ts';

/** The connections of each server to PostgreSQL. */
const POOL_SIZE = '8';
const CONNECTIONS_OF_A_CASE = ' 64, ';

/** Introspection and refresh, beside oidc-provider. All are on the same PostgreSQL. */
export async function tokens(options: BenchOptions): Promise<undefined> {
  await withFixture(async (fixture) => {
    const postgres = await fixture.postgres({ max_connections: '200' });
    const stacks = await bothModes(fixture, options, {
      postgres,
      env: {
        DATABASE_POOL_SIZE: POOL_SIZE,
        // Each request comes from another address, because an address may send 120 a minute.
        TRUSTED_PROXIES: '127.0.0.1',
      },
    });
    options.say('a million tokens in each database');
    await populateOauth2(postgres.url);
    const oidcProvider = await fixture.processes().start('oidc-provider', {
      NODE_ENV: 'production',
      DATABASE_URL: await populateOidcProvider(postgres.url),
      DATABASE_POOL_SIZE: POOL_SIZE,
    });
    const cases = oauthCases(
      stacks.map(({ mode, stack: { url } }) => ({ name: mode, url })),
      `http://${oidcProvider}`,
    )
      .flatMap(([ours, peer]) => [peer, ...ours])
      .filter(({ name }) => name.includes(CONNECTIONS_OF_A_CASE));
    const named = (name: string): string => name.replace(CONNECTIONS_OF_A_CASE, ', ');
    const groups = byConnections((connections) => ({
      title: 'tokens',
      cases: cases.map(
        (one): ComparedCase => ({
          ...one,
          name: named(one.name),
          connections,
          compared_with: named(one.compared_with),
        }),
      ),
    }));
    await measureGroups(groups, options);
  });
}
