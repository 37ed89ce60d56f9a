import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createItem, createPoFile, parsePo, stringifyPo } from 'pofile-ts';

/** Translations by message: the English text. An empty one is missing. */
export type Catalog = ReadonlyMap<string, string>;

/** Reads a PO file. A file that does not exist has no translations. */
export function readCatalog(path: string): Catalog {
  if (!existsSync(path)) return new Map();
  const { items } = parsePo(readFileSync(path, 'utf8'));
  return new Map(
    items.filter(({ obsolete }) => !obsolete).map(({ msgid, msgstr }) => [msgid, msgstr[0] ?? '']),
  );
}

/** Writes a PO file, sorted and without dates and line numbers: then changes of two people can be merged. */
export function writeCatalog(path: string, tag: string, catalog: Catalog): void {
  const file = createPoFile();
  file.headers = { Language: tag, 'Content-Type': 'text/plain; charset=utf-8' };
  file.headerOrder = Object.keys(file.headers);
  file.items = [...catalog]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([msgid, translation]) => Object.assign(createItem(), { msgid, msgstr: [translation] }));
  writeFileSync(path, stringifyPo(file, { foldLength: 0 }));
}
