import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { freePort } from '@gatehouse/dev-env/free-port';
import { startOtlpReceiver } from '@gatehouse/dev-env/telemetry/otlp-receiver';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import type { BenchOptions } from '../bench.ts';
import { costsOf, type Edge, startEdge } from '../edge/processor-cost.ts';
import { quantile } from '../load/load.ts';

/**
 * All requests are traced in some turns before anything counts: what is done for one request in a hundred is otherwise
 * new to the compiler for minutes. An edge takes the word of a trusted proxy.
 */
const TRACED = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
const TRUSTED_PROXIES = '127.0.0.1/32';
const TRACED_TURNS = 6;
const WARM_TURNS = 6;
const TURNS_A_SECOND = 3;
/** Of the turns, those that took least. */
const QUIET = 0.25;

/**
 * What metrics and traces cost of the processor time of a request of row c0: of the edge, ratelimit, and services that
 * answer at once. Processor time tells more than requests a second where other things run on the machine. Two edges
 * alike differ by some per cent for as long as they run, so each round has new ones, which are loaded in turn.
 */
export async function telemetry({ rounds, seconds, say }: BenchOptions): Promise<Record<string, unknown>> {
  const { path: folder, remove } = await testDataFolder('bench');
  const resources = resourceStack();
  resources.add('folder', remove);
  try {
    const receiver = await startOtlpReceiver({ answer: (response) => response.writeHead(200).end() });
    resources.add('receiver', () => receiver.close());
    const traced = (share: string) => async () => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: share,
    });
    const kinds: Readonly<Record<string, () => Promise<NodeJS.ProcessEnv>>> = {
      none: async () => ({}),
      'none again': async () => ({}),
      metrics: async () => ({ METRICS_LISTEN: `127.0.0.1:${await freePort()}` }),
      '1 % traced': traced('0.01'),
      'all traced': traced('1'),
    };
    const costs: number[][] = [];
    while (costs.length < rounds) {
      costs.push(await roundOf(folder, Object.values(kinds), seconds));
      say(`round ${costs.length} of ${rounds}: ${costs.at(-1)?.map(Math.round).join(', ')} µs`);
    }
    return Object.fromEntries(Object.keys(kinds).map((kind, n) => [kind, summary(costs, n)]));
  } finally {
    await resources.close();
  }
}

/** What a request takes of edges of each kind. Whatever else the machine does only adds to it. */
async function roundOf(
  folder: string,
  kinds: readonly (() => Promise<NodeJS.ProcessEnv>)[],
  seconds: number,
): Promise<number[]> {
  const edges: Edge[] = [];
  try {
    for (const env of kinds) {
      edges.push(await startEdge(folder, async () => ({ TRUSTED_PROXIES, ...(await env()) })));
    }
    for (let turn = 0; turn < TRACED_TURNS; turn++) await costsOf(edges, TRACED);
    for (let turn = 0; turn < WARM_TURNS; turn++) await costsOf(edges);
    const turns: number[][] = [];
    while (turns.length < seconds * TURNS_A_SECOND) turns.push(await costsOf(edges));
    return edges.map((_, n) =>
      quantile(
        turns.map((turn) => turn[n] ?? Number.NaN),
        QUIET,
      ),
    );
  } finally {
    for (const { running } of edges) running.stop();
  }
}

/** Of the rounds of edges of one kind, beside those of the first. */
function summary(rounds: readonly (readonly number[])[], n: number): Record<string, number> {
  const costs = rounds.map((round) => round[n] ?? Number.NaN);
  const more = rounds.map((round) => (round[n] ?? Number.NaN) / (round[0] ?? Number.NaN) - 1);
  const percent = (share: number): number => Math.round(quantile(more, share) * 1000) / 10;
  return {
    us: Math.round(quantile(costs, 0.5) * 10) / 10,
    costs_percent: percent(0.5),
    half_from: percent(0.25),
    half_to: percent(0.75),
  };
}
