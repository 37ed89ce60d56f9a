import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import { compile, installed } from './compile.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The oldest Node on which the packages are tested. */
export const OLDEST_NODE = '22.12.0';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
}

/**
 * Builds the packages that other repositories install, below `folder`, which is emptied first. Returns a file of each for
 * `npm install`.
 *
 * @throws Error if the folder has anything but packages
 */
export async function packPackages(folder: string): Promise<string[]> {
  empty(folder);
  return [...(await packRatelimitClient(folder)), ...(await packSdk(folder))];
}

/** Deletes what an earlier run left. @throws Error if there is anything else */
function empty(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const other = names.find((name) => !/^(?:proto|ratelimit-client|sdk)$|\.(?:tgz|whl)$/.test(name));
  if (other !== undefined)
    throw new Error(
      `${folder} has ${other}, which is no package: choose another folder, or empty it yourself`,
    );
  rmSync(folder, { recursive: true, force: true });
}

/** Builds @gatehouse/ratelimit-client, and @gatehouse/proto, which it needs. */
export async function packRatelimitClient(folder: string): Promise<string[]> {
  const proto = join(folder, 'proto');
  const client = join(folder, 'ratelimit-client');
  buildProto(proto);
  buildClient(client, proto);
  return [await npmPack(proto, folder), await npmPack(client, folder)];
}

/** Builds @gatehouse/sdk. */
export async function packSdk(folder: string): Promise<string[]> {
  const sdk = join(folder, 'sdk');
  buildSdk(sdk);
  return [await npmPack(sdk, folder)];
}

/** The generated code alone: the manifest of services and the like stay in the repository. */
function buildProto(output: string): void {
  const sources = join(ROOT, 'proto');
  compile({
    sources,
    include: ['gen/**/*.ts'],
    output,
    packages: packagesNamed('@bufbuild/protobuf', '@types/node', 'undici-types'),
  });
  const manifest = readManifest(sources);
  const exports = Object.entries(manifest.exports)
    .filter(([, file]) => file.startsWith('./gen/'))
    .map(([name, file]) => [name, builtFile(file)]);
  write(output, manifest, { exports: Object.fromEntries(exports), files: ['gen'] });
  writeFileSync(
    join(output, 'README.md'),
    `# ${manifest.name}\n\n${manifest.description}.\n\nUsed by @gatehouse/ratelimit-client. Import a contract by its export, such as \`@gatehouse/proto/ratelimit\`.\n`,
  );
}

function buildClient(output: string, proto: string): void {
  const folder = join(ROOT, 'services/ratelimit/client');
  compile({
    sources: join(folder, 'src'),
    include: ['client.ts'],
    output: join(output, 'dist'),
    packages: {
      ...packagesNamed('@grpc/grpc-js', '@types/node', 'undici-types'),
      '@gatehouse/proto': proto,
    },
  });
  const manifest = readManifest(folder);
  write(output, manifest, {
    exports: { '.': builtFile('./dist/client.ts') },
    files: ['dist'],
    dependencies: { ...manifest.dependencies, '@gatehouse/proto': manifest.version },
  });
  writeFileSync(join(output, 'README.md'), published(readFileSync(join(folder, 'README.md'), 'utf8')));
}

/** What @gatehouse/sdk exports of its sources: the generator of its types stays in the repository. */
function buildSdk(output: string): void {
  const folder = join(ROOT, 'sdk');
  const manifest = readManifest(folder);
  const exported = Object.entries(manifest.exports).filter(([, file]) => file.startsWith('./src/'));
  compile({
    sources: join(folder, 'src'),
    include: exported.map(([, file]) => file.slice('./src/'.length)),
    output: join(output, 'dist'),
    packages: packagesNamed('openapi-fetch', 'openapi-typescript-helpers'),
    runtime: 'any',
  });
  const built = exported.map(([name, file]) => [name, builtFile(file.replace('./src/', './dist/'))]);
  write(output, manifest, { exports: Object.fromEntries(built), files: ['dist'], sideEffects: false });
  writeFileSync(join(output, 'README.md'), published(readFileSync(join(folder, 'README.md'), 'utf8')));
}

function packagesNamed(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, installed(name)]));
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function builtFile(source: string) {
  const base = source.slice(0, -'.ts'.length);
  return { types: `${base}.d.ts`, default: `${base}.js` };
}

function write(output: string, { name, version, description, dependencies }: Manifest, rest: object): void {
  const { license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const engines = { node: `>=${OLDEST_NODE}` };
  const manifest = { name, version, description, license, type: 'module', engines, dependencies, ...rest };
  writeFileSync(join(output, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** A README without links to files that are not in the package. */
function published(readme: string): string {
  return readme.replaceAll(/\[([^\]]+)\]\((?!https?:|#)[^)]*\)/g, '$1');
}

async function npmPack(folder: string, destination: string): Promise<string> {
  const { stdout } = await execFileAsync('npm', ['pack', '--json', '--pack-destination', destination], {
    cwd: folder,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(destination, filename);
}
