import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { EXAMPLES } from './example-program.ts';

/** The programs run with the packages of this repository, so these are to be the ones that the examples pin. */
export function pinnedVersions(): void {
  it.each(foldersWithPackages())('examples/%s pins the versions that the tests run', (folder) => {
    const { dependencies } = readJson<{ dependencies: Record<string, string> }>(join(EXAMPLES, folder));
    const installed = Object.keys(dependencies).map((name) => {
      const place = fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));
      // A package of this repository has no version to pin.
      return [name, name.startsWith('@gatehouse/') ? '*' : readJson<{ version: string }>(place).version];
    });
    expect(dependencies).toEqual(Object.fromEntries(installed));
  });
}

/** Those of the API; the example of Express has a test of its own. */
function foldersWithPackages(): string[] {
  return readdirSync(EXAMPLES).filter(
    (folder) =>
      folder !== 'express' &&
      !folder.includes('.') &&
      readdirSync(join(EXAMPLES, folder)).includes('package.json'),
  );
}

function readJson<T>(folder: string): T {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
