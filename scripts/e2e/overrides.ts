import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FRONT = fileURLToPath(new URL('../../deploy/envoy/front.yaml', import.meta.url));
const NO_HOPS = 'xff_num_trusted_hops: 0';

/**
 * Writes settings of the composed stack for tests only. Mail goes to a folder that tests can read, and Envoy treats
 * them as a load balancer in front, so that each test can use another client address.
 *
 * @param mailer the container with auth
 * @returns the compose file with these settings
 */
export function writeOverrides(folder: string, data_dir: string, mailer: 'auth' | 'runner'): string {
  const configuration = readFileSync(FRONT, 'utf8');
  if (!configuration.includes(NO_HOPS)) throw new Error(`${FRONT} does not say ${NO_HOPS}`);
  const front = join(folder, 'front.yaml');
  writeFileSync(front, configuration.replaceAll(NO_HOPS, 'xff_num_trusted_hops: 1'), { mode: 0o644 });
  const file = join(folder, 'compose.yaml');
  const services = {
    [mailer]: { volumes: [`${data_dir}:/var/lib/gatehouse`] },
    envoy: { volumes: [`${front}:/etc/envoy/front.yaml:ro`] },
  };
  writeFileSync(file, JSON.stringify({ services })); // JSON is YAML
  return file;
}
