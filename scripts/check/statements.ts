import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The reasons for prepared SQL in CONTRIBUTING.md#stores. */
export const REASONS = ['locks', 'batches', 'is hot', 'computes'];

/** A row of docs/statements.md. */
export interface StatementRow {
  /** A place, in the format of sqlFunctions. */
  readonly place: string;
  readonly reasons: readonly string[];
}

/** The first line of a top-level function, class or constant, with its name. */
const DECLARATION = /^(?:export )?(?:(?:async )?function\*? ?|class |const )(\w+)/;
const QUERY = /\.query[(<]/;

/** Every function of the services that sends prepared SQL: "auth store/mails.ts insertMail". */
export function sqlFunctions(root: string): string[] {
  const services = readdirSync(join(root, 'services'));
  return services.flatMap((service) => {
    const folder = join(root, 'services', service, 'src');
    return sourcesIn(folder).flatMap((file) =>
      sqlFunctionsIn(readFileSync(join(folder, file), 'utf8')).map((name) => `${service} ${file} ${name}`),
    );
  });
}

/** The functions and classes in a file that send statements, each once. Inner functions and methods count as these. */
export function sqlFunctionsIn(source: string): string[] {
  let name = '(no function)';
  const found = new Set<string>();
  for (const line of source.split('\n')) {
    name = DECLARATION.exec(line)?.[1] ?? name;
    if (QUERY.test(line)) found.add(name);
  }
  return [...found];
}

/** Reads the tables of docs/statements.md: under each service's heading, a row for each function. */
export function statementRows(page: string): StatementRow[] {
  let service = '';
  return page.split('\n').flatMap((line) => {
    service = /^## ([a-z0-9-]+)$/.exec(line)?.[1] ?? service;
    const [, file, name, reasons = ''] = /^\| \[(.+)\]\(.+\) +\| `(\w+)` +\| (.+?) +\|$/.exec(line) ?? [];
    if (file === undefined) return [];
    return [{ place: `${service} ${file} ${name}`, reasons: reasons.split(', ') }];
  });
}

function sourcesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('generated/'))
      .sort();
  } catch {
    return []; // a folder without src, left behind by another branch
  }
}
