import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execute } from './execute.mjs';
import { withProgress } from './say.mjs';
import { withLock } from './with-lock.mjs';

const MAIL_INPUTS = [
  'generate/mail-catalogs.ts',
  'generate/mail-layout.ts',
  'mail-templates/layout.mjml',
  'src/mail/locales/ar.po',
  'src/mail/locales/de.po',
];
const CONSOLE_INPUTS = ['pages', 'web'];
const GENERATED = new Set(['node_modules', 'gen', 'generated', 'dist', '.turbo']);

/**
 * Runs the workspaces' `generate` scripts (buf, prisma, vite) if their inputs changed or their outputs are missing.
 */
export async function generateCode(root, env) {
  if (isCurrent(root)) return;
  await withLock(root, async () => {
    if (isCurrent(root)) return;
    const args = ['run', 'generate', '--output-logs=errors-only'];
    const options = { cwd: root, env: { ...env, ...prismaEnvironment(env) }, quiet: true };
    await withProgress('generating code (turbo run generate)', () => execute('turbo', args, options));
    mkdirSync(dirname(stampOf(root)), { recursive: true });
    writeFileSync(stampOf(root), inputsOf(root).hash);
  });
}

/** Prisma would download its schema engine, which generating does not use. Any existing program prevents that. */
function prismaEnvironment(env) {
  return {
    PRISMA_SCHEMA_ENGINE_BINARY: env.PRISMA_SCHEMA_ENGINE_BINARY || '/bin/true',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
}

const stampOf = (root) => join(root, 'node_modules/.cache/gatehouse-generated');

function isCurrent(root) {
  const { hash, outputs } = inputsOf(root);
  if (!outputs.every((output) => existsSync(join(root, output)))) return false;
  return existsSync(stampOf(root)) && readFileSync(stampOf(root), 'utf8') === hash;
}

/**
 * The inputs: proto, each service's Prisma schema, the layout and words of auth's mails, the web app, what its
 * documentation is made from, and the console's pages. The lockfile pins the generators.
 */
function inputsOf(root) {
  const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const files = [
    'package-lock.json',
    'gateway/asyncapi.json',
    'gateway/openapi.json',
    ...guides.map((name) => join('docs', name)),
    ...filesBelow(root, 'proto'),
    ...filesBelow(root, 'services/web'),
    ...CONSOLE_INPUTS.flatMap((folder) => filesBelow(root, join('services/console', folder))),
    'services/console/vite.config.ts',
  ];
  const outputs = ['proto/gen', 'services/web/dist', 'services/console/dist'];
  for (const service of readdirSync(join(root, 'services'))) {
    const inputs = ['package.json', 'schema.prisma', 'prisma.config.ts', ...MAIL_INPUTS]
      .map((name) => join('services', service, name))
      .filter((path) => existsSync(join(root, path)));
    files.push(...inputs);
    if (inputs.some((path) => path.endsWith('schema.prisma')))
      outputs.push(`services/${service}/src/generated`);
  }
  const hash = createHash('sha256');
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return { hash: hash.digest('hex'), outputs };
}

function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (GENERATED.has(entry.name)) return [];
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}
