import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@gatehouse/dev-env/free-port';
import { aptProgram } from '@gatehouse/dev-env/programs/apt';
import { startServer } from '@gatehouse/dev-env/programs/third-party-server';

const program = await aptProgram('prometheus', 'prometheus');
const promtool = await aptProgram('promtool', 'prometheus');

/** For describe.skipIf. */
export const prometheusIsMissing = program === undefined || promtool === undefined;

/** A counter as Prometheus would have scraped it. */
export interface PastCounter {
  /** Such as `requests_total{status="200"}`. */
  readonly series: string;
  /** Times in seconds since the Unix epoch, rising, with the value at each. */
  readonly points: readonly (readonly [time_s: number, value: number])[];
}

/** Debian's Prometheus, which scrapes nothing and has these counters. */
export async function backfilledPrometheus(
  counters: readonly PastCounter[],
): Promise<{ url: string; close: () => Promise<void> }> {
  if (program === undefined || promtool === undefined) throw new Error('Prometheus is missing: see above');
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-prometheus-'));
  const data = join(folder, 'data');
  const text = join(folder, 'counters.txt');
  const lines = counters.flatMap(({ series, points }) =>
    points.map(([time_s, value]) => `${series} ${value} ${time_s}`),
  );
  await writeFile(text, `${lines.join('\n')}\n# EOF\n`);
  await promisify(execFile)(promtool, ['tsdb', 'create-blocks-from', 'openmetrics', '--quiet', text, data]);
  const port = await freePort();
  const stop = await startServer({
    program,
    configuration: { scrape_configs: [] },
    flags: (file) => [
      `--config.file=${file}`,
      `--storage.tsdb.path=${data}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    ready_url: `http://127.0.0.1:${port}/-/ready`,
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
