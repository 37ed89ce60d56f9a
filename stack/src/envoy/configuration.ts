import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';

export interface ConfigurationOptions {
  readonly file: 'front.yaml' | 'internal.yaml';
  /**
   * Addresses, host:port, in place of the host names in the file. The other names get an address at which nothing
   * listens.
   */
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
  /** Replaces /etc/envoy/tls. */
  readonly tls_dir?: string;
  /** Changes that an operator may make (deploy/envoy/README.md). */
  readonly changes?: readonly Change[];
}

export type Change = readonly [from: string, to: string];

export interface WrittenConfiguration {
  readonly folder: string;
  readonly path: string;
  /** The ports on 127.0.0.1, by the port in the file. */
  readonly ports: ReadonlyMap<number, number>;
}

const DEPLOYED = fileURLToPath(new URL('../../../deploy/envoy/', import.meta.url));
const LISTENS = /address: 0\.0\.0\.0, port_value: (\d+)/g;
const ADMIN = /address: 127\.0\.0\.1, port_value: 9901/g;
const ENDPOINT =
  /^( *)(- endpoint: \{ address: \{ socket_address: \{ address: )([a-z][a-z0-9-]*), port_value: \d+/gm;
const NO_ENDPOINT = ['127.0.0.1:1'];

/** Writes a configuration of deploy/envoy for this machine. Only addresses, ports and paths differ. */
export async function writeConfiguration(options: ConfigurationOptions): Promise<WrittenConfiguration> {
  const { file, addresses = {}, tls_dir, changes = [] } = options;
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-envoy-'));
  const here = (text: string) =>
    text.replaceAll('/etc/envoy/tls', tls_dir ?? join(folder, 'tls')).replaceAll('/etc/envoy', folder);
  await cp(join(DEPLOYED, 'sds'), join(folder, 'sds'), { recursive: true });
  for (const name of await readdir(join(folder, 'sds'))) {
    const secret = join(folder, 'sds', name);
    await writeFile(secret, here(await readFile(secret, 'utf8')));
  }

  let text = applyChanges(await readFile(join(DEPLOYED, file), 'utf8'), changes);
  const ports = new Map<number, number>([[9901, await freePort()]]);
  for (const [, port] of text.matchAll(LISTENS)) ports.set(Number(port), await freePort());
  text = here(text)
    .replaceAll(LISTENS, (_, port: string) => `address: 127.0.0.1, port_value: ${ports.get(Number(port))}`)
    .replaceAll(ADMIN, `address: 127.0.0.1, port_value: ${ports.get(9901)}`)
    .replaceAll(ENDPOINT, (_, indent: string, start: string, name: string) =>
      (addresses[name] ?? NO_ENDPOINT)
        .map((address) => indent + start + hostAndPort(address))
        .join(' } } }\n'),
    );
  const path = join(folder, file);
  await writeFile(path, text);
  return { folder, path, ports };
}

/** @throws Error if a line is missing or occurs more than once */
function applyChanges(text: string, changes: readonly Change[]): string {
  return changes.reduce((before, [from, to]) => {
    if (before.split(from).length !== 2) throw new Error(`not once in the file: ${from}`);
    return before.replace(from, () => to);
  }, text);
}

function hostAndPort(address: string): string {
  const [host, port] = address.split(':');
  return `${host}, port_value: ${port}`;
}
