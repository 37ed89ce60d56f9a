import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Messages } from '@lingui/core';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { type Catalog, readCatalog } from './catalog.ts';
import { catalogFolderOf } from './catalog-folders.ts';
import { findMessages } from './find-messages.ts';

/**
 * The messages of some sources in a language, compiled. A text without syntax that stays as it is has no entry: then
 * Lingui shows the ID.
 *
 * @throws Error if a message or a translation is no ICU message
 */
export function compileCatalog(tag: string, sources: readonly string[]): Messages {
  const entries = sources.flatMap((source) => {
    const folder = /\.tsx?$/.test(source) ? catalogFolderOf(source) : undefined;
    if (folder === undefined) return [];
    const catalog = catalogAt(join(folder.path, 'locales', `${tag}.po`));
    return messagesIn(source).map((id) => [id, compileMessageOrThrow(catalog.get(id) || id)] as const);
  });
  return Object.fromEntries(
    entries
      .filter(([id, compiled]) => compiled.length !== 1 || compiled[0] !== id)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** A name for a file of this content. */
export function hashedName(content: string): string {
  return `assets/texts-${createHash('sha256').update(content).digest('base64url').slice(0, 8)}.json`;
}

const catalogs = new Map<string, Catalog>();
const messages = new Map<string, readonly string[]>();

function catalogAt(path: string): Catalog {
  const known = catalogs.get(path) ?? readCatalog(path);
  catalogs.set(path, known);
  return known;
}

function messagesIn(source: string): readonly string[] {
  const known =
    messages.get(source) ?? findMessages(source, readFileSync(source, 'utf8')).map(({ id }) => id);
  messages.set(source, known);
  return known;
}
