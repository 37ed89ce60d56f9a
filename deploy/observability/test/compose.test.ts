import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
