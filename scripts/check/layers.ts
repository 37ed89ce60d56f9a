import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { LAYERS_OPTIONS, RESOLVE_OPTIONS } from '../../layers.config.ts';
import { folderCircles } from './folder-circles.ts';

const FOLDERS = ['proto', 'kit', 'gateway', 'services', 'scripts', 'deploy', 'test-e2e'];

/** The imports below `root` that layers.config.ts does not allow, and those of folders in a circle; a line each. */
export async function layerProblems(root: string): Promise<string[]> {
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const { output } = await cruise(folders, { ...LAYERS_OPTIONS, baseDir: root }, RESOLVE_OPTIONS);
  const { modules, summary } = output as ICruiseResult; // it is text only where a form of output is asked for
  const imports = modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  );
  return [
    ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    ...folderCircles(imports).map(({ from, to }) => `folders in a circle: ${from} → ${to}`),
  ];
}
