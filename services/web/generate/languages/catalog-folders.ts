import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folders that have catalogs, of the pages and of the mails: `locales/de.po` is the German one (README.md#languages). */
const NAMES = [
  'generate/shell',
  'src/shared',
  'src/sign-in',
  'src/consent',
  'src/developers',
  'src/account',
  'src/account/mail-links',
  'src/home',
  'src/status',
  'src/guilds',
  'src/guilds/webhooks',
  '../auth/src/mail',
];

/** A folder with catalogs. */
export interface CatalogFolder {
  readonly path: string;
  /** Folders below it that have their own catalogs. */
  readonly others: readonly string[];
}

const PATHS = NAMES.map((name) => fileURLToPath(new URL(`../../${name}`, import.meta.url))).filter((path) =>
  existsSync(path),
);

export const CATALOG_FOLDERS: readonly CatalogFolder[] = PATHS.map((path) => ({
  path,
  others: PATHS.filter((other) => other.startsWith(`${path}/`)),
}));

/** The folder whose catalogs have the messages of a source. Undefined if none has, as for the pages of /docs. */
export function catalogFolderOf(source: string): CatalogFolder | undefined {
  return CATALOG_FOLDERS.find(
    ({ path, others }) =>
      source.startsWith(`${path}/`) && !others.some((other) => source.startsWith(`${other}/`)),
  );
}
