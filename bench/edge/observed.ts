import { freePort } from '@gatehouse/dev-env/free-port';
import { startOtlpReceiver } from '@gatehouse/dev-env/telemetry/otlp-receiver';
import type { Resources } from '@gatehouse/kit/lifecycle';
import type { Processes } from '../parts/processes.ts';

const SCRAPE_EVERY_MS = 5_000;

/** Edges with metrics or traces, each with a ratelimit that has them too. The other services are shared. */
export async function observed(
  running: Processes,
  env: NodeJS.ProcessEnv,
  resources: Resources,
): Promise<{ metricsUrl: string; tracesUrl: string }> {
  const receiver = await startOtlpReceiver({ answer: (response) => response.writeHead(200).end() });
  resources.add('receiver of traces', () => receiver.close());
  const traces = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  };
  const start = async (settings: () => Promise<NodeJS.ProcessEnv>): Promise<string> => {
    const RATELIMIT_ADDRESS = await running.start('ratelimit', await settings());
    const edge = await running.start('gateway', { ...env, RATELIMIT_ADDRESS, ...(await settings()) });
    return `http://${edge}/api/v1`;
  };
  const measured = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const unused = [...measured];
  const metricsUrl = await start(async () => ({ METRICS_LISTEN: unused.shift() }));
  const tracesUrl = await start(async () => traces);
  const scraping = setInterval(() => {
    for (const address of measured)
      fetch(`http://${address}/metrics`)
        .then((answer) => answer.text())
        .catch(() => undefined); // the bench is ending
  }, SCRAPE_EVERY_MS);
  resources.add('scrapes', () => clearInterval(scraping));
  return { metricsUrl, tracesUrl };
}
