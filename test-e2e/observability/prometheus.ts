import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';
import { aptProgram } from '@gatehouse/dev-env/programs/apt';
import { startServer } from '@gatehouse/dev-env/programs/third-party-server';

const program = await aptProgram('prometheus', 'prometheus');

/** For describe.skipIf. */
export const prometheusIsMissing = program === undefined;

const RULES = fileURLToPath(new URL('../../deploy/observability/rules', import.meta.url));

export type Labels = Readonly<Record<string, string>>;

export interface Target {
  readonly job: string;
  readonly address: string;
  readonly path?: string;
}

export interface Rule {
  readonly name: string;
  readonly query: string;
  readonly health: string;
  readonly lastError?: string;
}

export interface Prometheus {
  /** Labels of the series in an instant query's result. */
  query(expression: string): Promise<Labels[]>;
  /** Labels of every series, including __name__. */
  series(): Promise<Labels[]>;
  rules(): Promise<Rule[]>;
  close(): Promise<void>;
}

/** Debian's Prometheus with the deployed rules. Scrapes these targets every two seconds. */
export async function startPrometheus(targets: readonly Target[]): Promise<Prometheus> {
  if (program === undefined) throw new Error('Prometheus is missing: see above');
  const port = await freePort();
  const close = await startServer({
    program,
    configuration: configuration(targets),
    flags: (file, folder) => [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    ready_url: `http://127.0.0.1:${port}/-/ready`,
  });

  async function ask<T>(path: string, parameters: Record<string, string> = {}): Promise<T> {
    const url = `http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(parameters)}`;
    const { data, error } = (await (await fetch(url)).json()) as { data: T; error?: string };
    if (error !== undefined) throw new Error(`${path} ${JSON.stringify(parameters)}: ${error}`);
    return data;
  }

  return {
    query: async (query) => {
      const { result } = await ask<{ result: { metric: Labels }[] }>('query', { query });
      return result.map(({ metric }) => metric);
    },
    series: () => ask<Labels[]>('series', { 'match[]': '{__name__=~".+"}' }),
    rules: async () => {
      const { groups } = await ask<{ groups: { rules: Rule[] }[] }>('rules');
      return groups.flatMap(({ rules }) => rules);
    },
    close,
  };
}

function configuration(targets: readonly Target[]) {
  return {
    global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '2s' },
    rule_files: [`${RULES}/*.yml`],
    scrape_configs: targets.map(({ job, address, path = '/metrics' }) => ({
      job_name: job,
      metrics_path: path,
      static_configs: [{ targets: [address] }],
    })),
  };
}
