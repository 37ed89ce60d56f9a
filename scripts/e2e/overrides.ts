import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FRONT = fileURLToPath(new URL('../../deploy/envoy/front.yaml', import.meta.url));
const NO_HOPS = 'xff_num_trusted_hops: 0';

/**
 * What tests need of the composed stack and nobody else may have. Mail is written to a folder that they can read. And
 * Envoy takes them for a load balancer in front of it, so that each can come from an address of its own.
 *
 * @returns the compose file that says so
 */
export function writeOverrides(folder: string, data_dir: string): string {
  const configuration = readFileSync(FRONT, 'utf8');
  if (!configuration.includes(NO_HOPS)) throw new Error(`${FRONT} does not say ${NO_HOPS}`);
  const front = join(folder, 'front.yaml');
  writeFileSync(front, configuration.replaceAll(NO_HOPS, 'xff_num_trusted_hops: 1'), { mode: 0o644 });
  const file = join(folder, 'compose.yaml');
  const services = {
    auth: { volumes: [`${data_dir}:/var/lib/gatehouse`] },
    envoy: { volumes: [`${front}:/etc/envoy/front.yaml:ro`] },
  };
  writeFileSync(file, JSON.stringify({ services })); // JSON is YAML
  return file;
}
