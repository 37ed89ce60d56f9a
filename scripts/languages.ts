import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readCatalog, writeCatalog } from '@gatehouse/web/languages/catalog';
import { CATALOG_FOLDERS } from '@gatehouse/web/languages/catalog-folders';
import { LANGUAGES } from '@gatehouse/web/languages/languages';
import { sourceMessages } from '@gatehouse/web/languages/source-messages';

/**
 * `npm run languages`: brings the catalogs in step with the messages of the code (services/web/README.md#languages).
 * A new message gets an empty translation; a message that the code no longer has is removed.
 */
function main(): void {
  for (const { path, others } of CATALOG_FOLDERS) {
    const ids = new Set(sourceMessages(path, others).map(({ id }) => id));
    mkdirSync(join(path, 'locales'), { recursive: true });
    // The texts of the code are English.
    for (const { tag } of LANGUAGES.filter((language) => language.tag !== 'en')) {
      update(join(path, 'locales', `${tag}.po`), tag, ids);
    }
  }
}

function update(file: string, tag: string, ids: ReadonlySet<string>): void {
  const former = readCatalog(file);
  const catalog = new Map([...ids].map((id) => [id, former.get(id) ?? '']));
  writeCatalog(file, tag, catalog);
  const missing = [...catalog].filter(([, translation]) => translation === '').map(([id]) => id);
  if (missing.length === 0) return;
  process.stdout.write(`${relative('.', file)}: ${missing.length} without a translation\n`);
  for (const id of missing) process.stdout.write(`  ${JSON.stringify(id)}\n`);
}

main();
