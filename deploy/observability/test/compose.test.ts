import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SERVICE_NAMES } from '@gatehouse/proto/services';
import { serviceEnvironments } from '@gatehouse/runner/service-environments';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      { readonly image: string; readonly volumes: readonly string[]; readonly networks: readonly string[] }
    >
  >;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const { services, volumes } = parse(
  readFileSync(new URL('../compose.yaml', import.meta.url), 'utf8'),
) as Compose;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

it.each(Object.entries(services))(
  'every mount of %s is an existing file, read-only, or a volume',
  (_, service) => {
    expect(service.image).toMatch(/:[\w.]+$/);
    for (const mount of service.volumes) {
      const [source = '', , mode] = mount.split(':');
      if (!source.startsWith('./')) expect(volumes).toHaveProperty(source);
      else {
        expect(existsSync(`${ROOT}${source}`), mount).toBe(true);
        expect(mode).toBe('ro');
      }
    }
  },
);

it('no container is in the network whose X-Forwarded-For the edges trust', () => {
  for (const { networks } of Object.values(services)) expect(networks).not.toContain('front');
});

it('in the stack in two processes, each service is scraped at the port that it has there', () => {
  const override: Pick<Compose, 'services'> = parse(
    readFileSync(new URL('../compose.small.yaml', import.meta.url), 'utf8'),
  );
  const [mount = ''] = override.services.prometheus?.volumes ?? [];
  expect(mount).toBe('./deploy/observability/prometheus.small.yml:/etc/prometheus/prometheus.yml:ro');
  const { scrape_configs: jobs }: { scrape_configs: readonly Job[] } = parse(
    readFileSync(`${ROOT}${mount.split(':')[0]}`, 'utf8'),
  );
  const environments = serviceEnvironments(SERVICE_NAMES, { METRICS_LISTEN: '0.0.0.0:9464' });
  for (const name of SERVICE_NAMES) {
    const scraped = jobs.find(({ job_name }) => job_name === name)?.dns_sd_configs?.[0];
    expect(`0.0.0.0:${scraped?.port}`, name).toBe(environments.get(name)?.METRICS_LISTEN);
    expect(scraped?.names).toEqual([name]);
  }
});

interface Job {
  readonly job_name: string;
  readonly dns_sd_configs?: readonly { readonly names: readonly string[]; readonly port: number }[];
}
