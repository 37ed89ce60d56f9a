import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { LAYERS_OPTIONS, RESOLVE_OPTIONS } from '../../layers.config.ts';
import { folderCycles } from './folder-cycles.ts';

const FOLDERS = ['proto', 'kit', 'gateway', 'services', 'scripts', 'deploy', 'test-e2e'];

/** Lists the imports below `root` that layers.config.ts forbids, and those of folders in a cycle, a line each. */
export async function layerProblems(root: string): Promise<string[]> {
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const { output } = await cruise(folders, { ...LAYERS_OPTIONS, baseDir: root }, RESOLVE_OPTIONS);
  const { modules, summary } = output as ICruiseResult; // It is text only if an output type is requested.
  const imports = modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  );
  return [
    ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    ...folderCycles(imports).map(({ from, to }) => `folders in a cycle: ${from} → ${to}`),
  ];
}
