import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { parsePo } from 'pofile-ts';

/** Compiles src/mail/locales/, so that the service parses no messages. English messages are their own IDs. */
const LOCALES = new URL('../src/mail/locales/', import.meta.url);
const FOLDER = new URL('../src/generated/', import.meta.url);

async function translations(tag: string): Promise<[id: string, text: string][]> {
  const { items } = parsePo(await readFile(new URL(`${tag}.po`, LOCALES), 'utf8'));
  return items.map(({ msgid, msgstr }) => [msgid, msgstr[0] || msgid]);
}

function compile(texts: [id: string, text: string][]): object {
  return Object.fromEntries(texts.map(([id, text]) => [id, compileMessageOrThrow(text)]));
}

const german = await translations('de');
const catalogs = {
  en: compile(german.map(([id]) => [id, id])),
  de: compile(german),
  ar: compile(await translations('ar')),
};
await mkdir(FOLDER, { recursive: true });
await writeFile(new URL('mail-catalogs.json', FOLDER), `${JSON.stringify(catalogs)}\n`);
