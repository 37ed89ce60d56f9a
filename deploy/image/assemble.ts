import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICE_NAMES, serviceNamed } from '@gatehouse/proto/services';
import { copyPackage } from './copy-package.ts';
import { copySources } from './copy-sources.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { productionPackages } from './production-packages.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The contents of an image besides its workspace's own code and packages. */
interface Contents {
  /** The folder of the workspace, from the root. */
  readonly folder: string;
  /** The main module, from the root. */
  readonly entry: string;
  /** Files copied unchanged, from the root. */
  readonly built?: string;
}

/** The pages that the edge serves. */
const WEB = 'services/web/dist';

const IMAGES: Readonly<Record<string, Contents>> = {
  ...Object.fromEntries(SERVICE_NAMES.map((name) => [name, contentsOf(serviceNamed(name).folder)])),
  gateway: { ...contentsOf('gateway'), built: WEB },
  runner: { ...contentsOf('runner'), built: WEB },
  operator: { folder: 'cli', entry: 'cli/src/main.ts' },
};

function contentsOf(folder: string): Contents {
  return { folder, entry: `${folder}/src/main.ts` };
}

/**
 * Assembles the contents of an image in `target`: the workspace, its imports at run time, and main.ts, which runs it.
 */
function assemble(name: string, target: string): void {
  const image = IMAGES[name];
  if (image === undefined)
    throw new Error(`SERVICE is one of ${Object.keys(IMAGES).join(', ')}, not '${name}'`);
  const packages = productionPackages(ROOT, image.folder);
  const own = packages.filter((folder) => !isInstalled(folder));
  for (const folder of own) {
    copySources(ROOT, folder, target);
    writeManifest(folder, target);
    link(folder, target);
  }
  for (const folder of packages.filter(isInstalled)) copyPackage(ROOT, folder, target, own);
  if (image.built !== undefined) copySources(ROOT, image.built, target);
  writeRoot(name, image, own, target);
  cpSync(join(ROOT, 'deploy/image/healthy.sh'), join(target, 'healthy.sh'));
}

const isInstalled = (folder: string) => folder.includes('node_modules/');

/** Without dependencies of tests and generators, which the image does not have. */
function writeManifest(folder: string, target: string): void {
  const { devDependencies: _, scripts: __, ...manifest } = readManifest(join(ROOT, folder));
  write(join(target, folder, 'package.json'), manifest);
}

/** Links workspaces as npm does: Node strips types only of files outside node_modules. */
function link(folder: string, target: string): void {
  const at = join(target, 'node_modules', readManifest(join(ROOT, folder)).name);
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(relative(dirname(at), join(target, folder)), at);
}

function writeRoot(name: string, { entry }: Contents, own: readonly string[], target: string): void {
  const { version, license } = readManifest(ROOT);
  const manifest: Manifest = {
    name: `gatehouse-${name}`,
    version,
    license,
    private: true,
    type: 'module',
    workspaces: own,
  };
  write(join(target, 'package.json'), manifest);
  writeFileSync(join(target, 'main.ts'), `import './${entry}';\n`);
}

function write(file: string, json: Manifest): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(json, undefined, 2)}\n`);
}

const [name = '', target] = process.argv.slice(2);
if (target === undefined) throw new Error('assemble.ts SERVICE FOLDER');
assemble(name, target);
