import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import { OLDEST_NODE } from '../../pack/pack-packages.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** A project outside of this repository that has installed the packages. */
export interface Consumer {
  readonly folder: string;
  /** The oldest Node that the packages support. Undefined where npm has none for this machine. */
  readonly oldestNode: string | undefined;
  /** The programs of the package's README, in its order. */
  readonly programs: readonly string[];
  /** Compiles the programs and the example to JavaScript, strictly, the packages' types included. */
  compile(module: string, moduleResolution: string): Promise<void>;
  remove(): void;
}

/** What a consumer installs. */
export interface Installation {
  /** Builds packages below a folder, and returns their files. */
  readonly pack: (folder: string) => Promise<readonly string[]>;
  /** The package whose README has the programs. */
  readonly readme: string;
  /** A folder in examples/. */
  readonly example?: string;
}

export async function openConsumer({ pack, readme, example }: Installation): Promise<Consumer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-consumer-'));
  const packages = await pack(`${folder}.packages`);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  if (example !== undefined) cpSync(join(ROOT, 'examples', example), folder, { recursive: true });
  const node = process.platform === 'linux' ? [`node-linux-${process.arch}@${OLDEST_NODE}`] : [];
  const types = `@types/node@${manifest().devDependencies['@types/node']}`;
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  await execFileAsync('npm', ['install', ...flags, ...packages, types, ...node], { cwd: folder });
  const page = readFileSync(join(folder, 'node_modules', readme, 'README.md'), 'utf8');
  const programs = [...page.matchAll(/^```ts\n(import .*?)^```$/gms)].map(([, text = '']) => text);
  for (const [n, text] of programs.entries()) writeFileSync(join(folder, `program-${n}.ts`), text);
  return {
    folder,
    oldestNode:
      node.length > 0 ? join(folder, `node_modules/node-linux-${process.arch}/bin/node`) : undefined,
    programs,
    compile: async (module, moduleResolution) => {
      const options = { module, moduleResolution, target: 'es2023', lib: ['es2023', 'esnext.disposable'] };
      const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
      const output = { outDir: 'built', rewriteRelativeImportExtensions: true, types: ['node'] };
      const config = { compilerOptions: { ...options, ...strict, ...output }, include: ['*.ts'] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      const tsc = [TSC, '--project', folder, '--pretty', 'false'];
      await execFileAsync(process.execPath, tsc).catch(({ stdout }: { stdout: string }) => {
        throw new Error(`tsc failed:\n${stdout}`);
      });
    },
    remove: () => {
      rmSync(folder, { recursive: true });
      rmSync(`${folder}.packages`, { recursive: true });
    },
  };
}

function manifest(): { readonly devDependencies: Readonly<Record<string, string>> } {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
}
