import { envoyProgram } from '@gatehouse/dev-env/programs/envoy-program';
import { LIMITS } from '../all/peers/envoy-limits.ts';
import type { BenchOptions } from '../bench.ts';
import { type CaseGroup, type ComparedCase, measureGroups } from '../load/in-turns.ts';
import type { Fixture } from '../parts/fixture.ts';
import { startEnvoyFront } from './envoy-front.ts';
import type { Servers } from './servers.ts';
import { CALLERS, IDENTITIES } from './ways.ts';

const TITLE = 'requests through Envoy';
const PEER = 'with envoyproxy/ratelimit';

/** Requests through Envoy's rate-limit filter to a backend that answers at once, with each of the servers. */
export async function throughEnvoy(
  fixture: Fixture,
  { own, peer }: Servers,
  options: BenchOptions,
): Promise<void> {
  const program = await envoyProgram();
  if (program === undefined) {
    options.say(`NOT MEASURED: ${TITLE}. Put envoy on PATH, or python3 with pip`);
    return;
  }
  const upstream = await fixture.processes().start('bare');
  const front = async (ratelimit: string | undefined) =>
    `http://${await startEnvoyFront(fixture, { program, upstream, ratelimit })}`;
  const cases = [
    { name: 'without limits', url: await front(undefined) },
    { name: PEER, url: await front(peer.address) },
    { name: 'with ratelimit', url: await front(own.address) },
  ];
  const requests = Array.from({ length: IDENTITIES }, (_, n) => ({
    method: 'GET' as const,
    path: '/',
    headers: Object.fromEntries(LIMITS.map(({ key }) => [`x-${key}`, `${key}:envoy:${n}`])),
  }));
  const groupOf = (connections: number): CaseGroup => ({
    title: TITLE,
    about: 'Envoy on one thread, in front of a Fastify route.',
    connections,
    cases: cases.map(
      (one): ComparedCase => ({
        ...one,
        what: 'GET, 200',
        connections,
        requests,
        expected: 200,
        compared_with: PEER,
      }),
    ),
  });
  await measureGroups([groupOf(CALLERS), { ...groupOf(8), warm: 1 }], options);
}
