// Runs one of the project's programs on a machine that may have only Node 18 and npm: node scripts/toolchain.mjs
// scripts/start.ts [arguments] It provides Node 24, the packages and the generated code if they are missing or out
// of date, and then becomes the program. Standard output belongs to the program. This is plain JavaScript, because
// an old Node cannot read TypeScript.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continueAs } from './toolchain/continue-as.mjs';
import { generateCode } from './toolchain/generate.mjs';
import { findNode } from './toolchain/node.mjs';
import { installPackages } from './toolchain/packages.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [script, ...args] = process.argv.slice(2);

try {
  const node = await findNode(root);
  const path = [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].join(':');
  const env = {
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
    ...process.env,
    // turbo and others do not check for updates or report this run.
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    PATH: path,
  };
  await installPackages(root, env);
  await generateCode(root, env);
  if (script !== undefined) continueAs(node, [join(root, script), ...args], env);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
