import { freePort } from '@gatehouse/dev-env/free-port';
import { startOtlpReceiver } from '@gatehouse/dev-env/telemetry/otlp-receiver';
import type { BenchOptions } from '../bench.ts';
import { costsOf, type Edge, startEdge } from '../edge/processor-cost.ts';
import { quantile } from '../load/load.ts';
import { takeTurns } from '../load/turns.ts';
import { withFixture } from '../parts/fixture.ts';
import { figureOf } from '../report/figure.ts';
import type { Row } from '../report/table.ts';

/**
 * Traces all requests in some warm-up turns: otherwise V8 takes minutes to optimise code that runs for one request in a
 * hundred. The edge accepts the sampled flag of a trusted proxy.
 */
const TRACED = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
const TITLE = 'metrics and traces';
const TRUSTED_PROXIES = '127.0.0.1/32';
const TRACED_TURNS = 6;
const WARM_TURNS = 6;
const TURNS_A_SECOND = 3;
/** The share of turns that count: the cheapest. */
const CHEAPEST_SHARE = 0.25;

/**
 * Measures the cost of metrics and traces in processor time per request of case c0, at the edge, ratelimit and stubs of
 * services. On a shared machine, processor time is more reliable than requests per second. Two identical edges differ
 * by some per cent as long as they run, so each round starts new ones, which are loaded in turns.
 */
export async function telemetry(options: BenchOptions): Promise<undefined> {
  await withFixture(async ({ folder, resources }) => {
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
    await takeTurns(TITLE, { warm: 0, counted: options.rounds }, options, async () => {
      costs.push(await roundOf(folder, Object.values(kinds), options.seconds));
    });
    const rows = Object.keys(kinds).map((kind, n) => rowOf(kind, costs, n));
    options.report({
      title: TITLE,
      about: 'Processor time per request, and what it adds to an edge without.',
      rows,
    });
  });
}

/** The cost of a request at edges of each kind. Other work of the machine can only increase it. */
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
        CHEAPEST_SHARE,
      ),
    );
  } finally {
    for (const { running } of edges) running.stop();
  }
}

/** The rounds of one kind of edge, compared with those of the first kind. */
function rowOf(name: string, rounds: readonly (readonly number[])[], n: number): Row {
  const more = rounds.map((round) => 100 * ((round[n] ?? Number.NaN) / (round[0] ?? Number.NaN) - 1));
  const us = figureOf(rounds.map((round) => round[n] ?? Number.NaN));
  return { name, figures: { us, ...(n > 0 && { added_percent: figureOf(more) }) } };
}
