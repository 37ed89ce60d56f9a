import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { exampleRequest } from '../../generate/examples/example-request.ts';
import { typescriptExample } from '../../generate/examples/typescript.ts';
import { operationsOf } from '../../generate/openapi.ts';

const ROOT = new URL('../../../../', import.meta.url);
const pathOf = (path: string) => fileURLToPath(new URL(path, ROOT));
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-docs-examples-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OPTIONS = {
  target: 'esnext',
  module: 'nodenext',
  lib: ['esnext', 'dom'],
  types: ['node'],
  typeRoots: [pathOf('node_modules/@types')],
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  paths: { '@gatehouse/sdk': [pathOf('sdk/src/index.ts')] },
};

it('the TypeScript example of every operation fits the types of the SDK', async () => {
  const operations = operationsOf(JSON.parse(readFileSync(pathOf('gateway/openapi.json'), 'utf8')));
  for (const operation of operations)
    writeFileSync(
      join(folder, `${operation.operationId}.ts`),
      `${typescriptExample(operation, exampleRequest(operation))}\nexport {};\n`,
    );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }));
  const output = await new Promise<string>((resolve) => {
    execFile(pathOf('node_modules/.bin/tsc'), ['--project', folder, '--pretty', 'false'], (error, stdout) =>
      resolve(error === null ? stdout : `${error.code}: ${stdout}`),
    );
  });
  expect(output).toBe('');
  expect(operations.length).toBeGreaterThan(100);
});
