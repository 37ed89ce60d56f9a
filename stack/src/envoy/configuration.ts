import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';

export interface ConfigurationOptions {
  readonly file: 'front.yaml' | 'internal.yaml';
  /** host:port of each name that Envoy would look up; nobody listens where one is not given. */
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
  /** The folder in place of /etc/envoy/tls. */
  readonly tls_dir?: string;
  /** Lines that an operator changes (deploy/envoy/README.md): what they are, and what they become. */
  readonly changes?: readonly Change[];
}

export type Change = readonly [from: string, to: string];

export interface Written {
  readonly folder: string;
  readonly path: string;
  /** The ports of 127.0.0.1 in place of those of the file. */
  readonly ports: ReadonlyMap<number, number>;
}

const DEPLOYED = fileURLToPath(new URL('../../../deploy/envoy/', import.meta.url));
const LISTENS = /address: 0\.0\.0\.0, port_value: (\d+)/g;
const ADMIN = /address: 127\.0\.0\.1, port_value: 9901/g;
const ENDPOINT =
  /^( *)(- endpoint: \{ address: \{ socket_address: \{ address: )([a-z][a-z0-9-]*), port_value: \d+/gm;
const NOBODY = ['127.0.0.1:1'];

/** Writes a file of deploy/envoy as it would run on this machine. Nothing but addresses and paths is another. */
export async function writeConfiguration(options: ConfigurationOptions): Promise<Written> {
  const { file, addresses = {}, tls_dir, changes = [] } = options;
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-envoy-'));
  const here = (text: string) =>
    text.replaceAll('/etc/envoy/tls', tls_dir ?? join(folder, 'tls')).replaceAll('/etc/envoy', folder);
  await cp(join(DEPLOYED, 'sds'), join(folder, 'sds'), { recursive: true });
  for (const name of await readdir(join(folder, 'sds'))) {
    const secret = join(folder, 'sds', name);
    await writeFile(secret, here(await readFile(secret, 'utf8')));
  }

  let text = changed(await readFile(join(DEPLOYED, file), 'utf8'), changes);
  const ports = new Map<number, number>([[9901, await freePort()]]);
  for (const [, port] of text.matchAll(LISTENS)) ports.set(Number(port), await freePort());
  text = here(text)
    .replaceAll(LISTENS, (_, port: string) => `address: 127.0.0.1, port_value: ${ports.get(Number(port))}`)
    .replaceAll(ADMIN, `address: 127.0.0.1, port_value: ${ports.get(9901)}`)
    .replaceAll(ENDPOINT, (_, indent: string, start: string, name: string) =>
      (addresses[name] ?? NOBODY).map((address) => indent + start + hostAndPort(address)).join(' } } }\n'),
    );
  const path = join(folder, file);
  await writeFile(path, text);
  return { folder, path, ports };
}

/** @throws Error where a line is not there exactly once */
function changed(text: string, changes: readonly Change[]): string {
  return changes.reduce((before, [from, to]) => {
    if (before.split(from).length !== 2) throw new Error(`not once in the file: ${from}`);
    return before.replace(from, () => to);
  }, text);
}

function hostAndPort(address: string): string {
  const [host, port] = address.split(':');
  return `${host}, port_value: ${port}`;
}
