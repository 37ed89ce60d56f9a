import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportFile } from './report.ts';

// A task of turbo.json: runs the inner ring of the current workspace, or, with a name, of these folders of the
// root.
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const [name, ...folders] = process.argv.slice(2);
const workspace = relative(ROOT, process.cwd());
const tested = name === undefined ? [workspace] : folders;

const { status } = spawnSync(
  process.execPath,
  [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project=inner',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile(process.cwd(), name)}`,
    ...tested.map((folder) => join(ROOT, folder, '/')),
  ],
  { cwd: ROOT, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
