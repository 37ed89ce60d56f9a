import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { freePort } from '@gatehouse/dev-env/free-port';
import { startOtlpReceiver } from '@gatehouse/dev-env/otlp-receiver';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import type { BenchOptions } from './bench.ts';
import { compare, startEdge } from './edge/without.ts';

/** Has all requests traced before anything counts: what is traced seldom needs long until the compiler knows it. */
const WARM = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
const TRUSTED_PROXIES = '127.0.0.1/32';

/**
 * What metrics and traces cost of the processor time of a request of row c0: of the edge, ratelimit, and services that
 * answer at once. Processor time tells more than requests a second where other things run on the machine.
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
    const measured = async () => ({ METRICS_LISTEN: `127.0.0.1:${await freePort()}` });
    const start = (env: () => Promise<NodeJS.ProcessEnv>) =>
      startEdge(folder, { env: async () => ({ TRUSTED_PROXIES, ...(await env()) }), warm_headers: WARM });
    const none = await start(async () => ({}));
    resources.add('the edge without', () => none.running.stop());
    const costs: Record<string, unknown> = {};
    for (const [name, env] of [
      ['nothing', async () => ({})],
      ['metrics', measured],
      ['0 % traced', traced('0')],
      ['1 % traced', traced('0.01')],
      ['all traced', traced('1')],
    ] as const) {
      const edge = await start(env);
      try {
        const { with_us, brings, half_from, half_to } = await compare(none, edge, rounds * seconds);
        costs[name] = { without_us: with_us, costs_percent: brings, half_from, half_to };
      } finally {
        edge.running.stop();
      }
      say(`${name}: ${JSON.stringify(costs[name])}`);
    }
    return costs;
  } finally {
    await resources.close();
  }
}
