import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import { type Anchors, anchorsOf, linksOf } from './markdown.ts';

/** Parts of other pages. Their links are relative to those pages, and are checked there. */
const FRAGMENTS: ReadonlySet<string> = new Set(['scripts/api-reference/conventions.md']);

/** The start of a comment, by file extension. */
const COMMENTS: Readonly<Record<string, RegExp>> = {
  '.ts': /^\s*(?:\/\/|\/?\*)|\s\/\/\s/,
  '.tsx': /^\s*(?:\/\/|\/?\*)|\s\/\/\s/,
  '.proto': /^\s*(?:\/\/|\/?\*)|\s\/\/\s/,
  '.sql': /^\s*--|\s--\s/,
  '.lua': /^\s*--|\s--\s/,
};

/** Programs, whose texts send people to pages too. Tests may name pages that do not exist. */
const PROGRAM = /\.tsx?$/;
const TEST = /(?:^|\/)test\/|^test-e2e\/|\.test\.tsx?$/;

const PAGE_IN_TEXT = /(?<![\w./-])docs\/[\w./-]+\.md(?:#[\w-]+)?/g;
const OTHER_SITE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/** The files of a clone, without ignored and deleted ones. */
export function filesOf(root: string): string[] {
  const { status, stdout, stderr, error } = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 },
  );
  if (status !== 0) throw error ?? new Error(stderr);
  const deleted = spawnSync('git', ['ls-files', '-z', '--deleted'], { cwd: root, encoding: 'utf8' }).stdout;
  const gone = new Set(deleted.split('\0'));
  return stdout.split('\0').filter((file) => file !== '' && !gone.has(file));
}

/**
 * Lists broken links, a line each: relative links and anchors in Markdown, and pages of docs/ in comments and in the
 * texts of programs, as paths from the root. Links to other sites are not checked.
 */
export function brokenLinks(root: string, files: readonly string[]): string[] {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const pages = new Map(files.filter((file) => file.endsWith('.md')).map((file) => [file, read(file)]));
  const anchors = new Map([...pages].map(([page, text]) => [page, anchorsOf(text)]));
  const places = withFolders(files);

  const pageLinks = [...pages].flatMap(([page, text]) =>
    FRAGMENTS.has(page)
      ? []
      : linksOf(text)
          .filter(({ target }) => !OTHER_SITE.test(target))
          .map((link) => ({ ...link, file: page, from: page })),
  );
  const codeLinks = files.flatMap((file) => {
    const begin = PROGRAM.test(file) && !TEST.test(file) ? /^/ : COMMENTS[extname(file)];
    if (begin === undefined) return [];
    return pagesIn(read(file), begin).map((link) => ({ ...link, file, from: '' }));
  });
  const repeated = [...anchors].flatMap(([page, { repeated }]) =>
    repeated.map((id) => `${page}: two anchors are #${id}`),
  );
  const broken = [...pageLinks, ...codeLinks].flatMap(({ file, from, target, line }) => {
    const wrong = wrongWith(...resolve(from, target), places, anchors);
    return wrong === undefined ? [] : [`${file}:${line}: ${target}: ${wrong}`];
  });
  return [...repeated, ...broken];
}

function wrongWith(
  path: string,
  anchor: string,
  places: ReadonlySet<string>,
  anchors: ReadonlyMap<string, Anchors>,
): string | undefined {
  if (!places.has(path)) return 'there is no such file';
  if (anchor === '') return undefined;
  const page = anchors.get(path);
  if (page === undefined) return /^L\d+(?:-L\d+)?$/.test(anchor) ? undefined : 'only pages have anchors';
  return page.ids.has(anchor) ? undefined : 'there is no such anchor';
}

/** The path from the root, and the anchor without its "#". */
function resolve(page: string, target: string): [string, string] {
  const at = target.indexOf('#');
  const path = decodeURI(at < 0 ? target : target.slice(0, at));
  const anchor = at < 0 ? '' : target.slice(at + 1);
  if (path === '') return [page, anchor];
  const joined = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(page), path);
  return [joined.replace(/\/$/, ''), anchor];
}

function withFolders(files: readonly string[]): ReadonlySet<string> {
  const places = new Set<string>(['.']);
  for (const file of files)
    for (let place = file; place !== '.' && !places.has(place); place = posix.dirname(place))
      places.add(place);
  return places;
}

/** The pages that each line names after `begin`. */
function pagesIn(text: string, begin: RegExp): { target: string; line: number }[] {
  if (!text.includes('docs/')) return [];
  return text.split('\n').flatMap((line, index) => {
    const at = line.search(begin);
    if (at < 0) return [];
    return [...line.slice(at).matchAll(PAGE_IN_TEXT)].map(([target]) => ({ target, line: index + 1 }));
  });
}
