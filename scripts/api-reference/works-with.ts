import { readFileSync } from 'node:fs';
import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import type { VersionOf, WorksWith } from './tested-clients.ts';

const TESTS = new URL('../../test-e2e/', import.meta.url);
const BEGIN = /^<!-- clients: .* -->\n/m;
const END = '<!-- /clients -->';
const HEADINGS = ['Client', 'Version', 'Tested', 'Remarks'];

/** Replaces the table of clients between the two markers of a page. */
export function withClients(page: string, clients: readonly WorksWith[]): string {
  const begin = BEGIN.exec(page);
  const end = page.indexOf(END);
  if (begin === null || end < begin.index)
    throw new Error('docs/works-with.md lacks the markers of its clients');
  const rows = clients.map(({ client, version, test, features, remarks = '' }) => [
    `[${client}](../test-e2e/${test})`,
    pinnedVersion(version),
    features,
    remarks,
  ]);
  return `${page.slice(0, begin.index + begin[0].length)}\n${markdownTable(HEADINGS, rows)}\n${page.slice(end)}`;
}

/**
 * The lines of a client's code on the page that its source does not have.
 *
 * @throws Error if the page has no code for it
 */
export function strayLines(page: string, { client, test, setup }: WorksWith): string[] {
  const from = page.indexOf(`### ${client}\n`);
  const [, code] = /^```\w+\n(.*?)^```$/ms.exec(page.slice(from)) ?? [];
  if (from < 0 || code === undefined) throw new Error(`docs/works-with.md has no code for ${client}`);
  const source = comparable(readFileSync(new URL(setup?.file ?? test, TESTS), 'utf8'));
  const has = Object.entries({ ...setup?.has, BASE_URL: setup?.has?.BASE_URL ?? 'stack.url' });
  return code.split('\n').filter((line) => {
    const inSource = has.reduce((text, [shown, own]) => text.replaceAll(shown, own), comparable(line));
    return !source.includes(inSource);
  });
}

/** Without dollar signs, as placeholders have them in some languages, and with single spaces. */
function comparable(code: string): string {
  return code.replaceAll('$', '').replaceAll(/\s+/g, ' ').trim();
}

/** @throws Error if no file pins the client */
function pinnedVersion(version: VersionOf): string {
  if ('text' in version) return version.text;
  const pinned = 'npm' in version ? npmVersion(version.npm) : versionIn(version);
  if (pinned === undefined) throw new Error(`no file pins ${JSON.stringify(version)}`);
  return pinned;
}

function npmVersion(name: string): string | undefined {
  const { devDependencies } = JSON.parse(readFileSync(new URL('package.json', TESTS), 'utf8')) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  return devDependencies[name];
}

/** A line of requirements, `name==1.2.3`, or of go.mod, `name v1.2.3`. */
function versionIn(version: Exclude<VersionOf, { npm: string } | { text: string }>): string | undefined {
  const [name, between] = 'pip' in version ? [version.pip, '=='] : [version.go, ' v'];
  const lines = readFileSync(new URL(`clients/${version.file}`, TESTS), 'utf8').split('\n');
  const words = lines.map((line) => line.replace(/^require /, '').trim());
  return words
    .find((line) => line.startsWith(name + between))
    ?.slice(name.length + between.length)
    .split(' ')[0];
}
