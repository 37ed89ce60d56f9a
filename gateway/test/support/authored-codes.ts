import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An error in the source of a package. */
export interface AuthoredCode {
  /** The public code, such as NOT_FOUND. */
  readonly code: string;
  /** The name of its gRPC status; undefined if the source does not have it beside the code. */
  readonly status: string | undefined;
  readonly file: string;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCES = ['kit/src/**/*.ts', 'gateway/src/**/*.ts', 'services/**/src/**/*.ts'];
/** The constructors of errors. */
const FAULT = /(?:new Fault|super)\(\{(?<init>[\s\S]*?)\}\)/g;

/**
 * Every code that kit, the edge or a service gives an error, read from their source. The code is a literal, a
 * constant, or the parameter `reason` or `name` of a function that is called with literals.
 *
 * @throws Error for any other code
 */
export function authoredCodes(): AuthoredCode[] {
  const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !/node_modules|generated/.test(file));
  return files.sort().flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return [...source.matchAll(FAULT)].flatMap(
      ({ groups, index }) =>
        namedErrors(groups?.init ?? '', source, file) ??
        codesOf(groups?.init ?? '', source, index, file).map((code) => ({
          code,
          status: /\bstatus: Status\.(\w+)/.exec(groups?.init ?? '')?.[1],
          file,
        })),
    );
  });
}

/** For a function that makes the code from a name: the literal of each call, in upper case. */
function namedErrors(init: string, source: string, file: string): AuthoredCode[] | undefined {
  if (!init.includes('reason: name.toUpperCase()')) return undefined;
  const maker = /function (\w+)\(name: string, [^)]*: Status = Status\.(\w+)\)/.exec(source);
  if (maker === null) return undefined;
  const calls = source.matchAll(new RegExp(`\\b${maker[1]}\\(\\s*'(\\w+)'([^;]*)`, 'g'));
  return [...calls].map(([, name = '', rest = '']) => ({
    code: name.toUpperCase(),
    status: /\bStatus\.(\w+)/.exec(rest)?.[1] ?? maker[2],
    file,
  }));
}

function codesOf(init: string, source: string, at: number, file: string): string[] {
  const [, literal, constant = 'reason'] = /\breason: (?:'(\w+)'|(\w+))/.exec(init) ?? [];
  if (literal !== undefined) return [literal];
  if (!/\breason\b/.test(init)) return [];
  const before = `\n${source.slice(0, at)}`;
  const body = before.slice(
    Math.max(before.lastIndexOf('\nfunction '), before.lastIndexOf('\nexport function ')) + 1,
  );
  // An error that is passed on with its code.
  if (new RegExp(`\\{[^{}]*\\b${constant}\\b[^{}]*\\} = `).test(body)) return [];
  const own = new RegExp(`const ${constant} = '(\\w+)'`).exec(source)?.[1];
  if (own !== undefined) return [own];
  const imported = new RegExp(`import \\{[^}]*\\b${constant}\\b[^}]*\\} from '(\\./[^']+)'`).exec(
    source,
  )?.[1];
  if (imported !== undefined) {
    const other = readFileSync(join(ROOT, file, '..', imported), 'utf8');
    const code = new RegExp(`const ${constant} = '(\\w+)'`).exec(other)?.[1];
    if (code !== undefined) return [code];
  }
  const maker = /^(?:export )?function (\w+)\(reason: string\b/.exec(body)?.[1];
  if (maker !== undefined)
    return [...source.matchAll(new RegExp(`\\b${maker}\\(\\s*'(\\w+)'`, 'g'))].map(([, code = '']) => code);
  throw new Error(`${file}: the code of this error cannot be found:\n${init}`);
}
