import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from '@gatehouse/kit/env';

const ASSIGNMENT = /^\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_.-]*\s*=\s*(.*)$/;

/**
 * Adds the settings of `.env` in a folder, if there is one, to an environment. Variables that are set already stay.
 * @throws ConfigError with the number of every invalid line, but not its text
 */
export function loadDotEnv(env: NodeJS.ProcessEnv = process.env, folder: string = process.cwd()): void {
  const file = join(folder, '.env');
  const text = readText(file);
  if (text === undefined) return;
  const problems = problemsIn(text).map((problem) => `${file}: ${problem}`);
  if (problems.length > 0) throw new ConfigError(problems);
  for (const [name, value] of Object.entries(parseEnv(text))) env[name] ??= value;
}

function readText(file: string): string | undefined {
  try {
    const bytes = readFileSync(file);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes); // without a byte order mark
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new ConfigError([
      `${file} cannot be read: ${code?.startsWith('ERR_ENCODING') ? 'it is not UTF-8' : message}`,
    ]);
  }
}

/** parseEnv skips malformed lines. A quoted value may span several lines. */
function problemsIn(text: string): string[] {
  const problems: string[] = [];
  const lines = text.split(/\r\n|\n|\r/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, value] = ASSIGNMENT.exec(line) ?? [];
    if (value === undefined || line.includes('\0')) {
      problems.push(`line ${at + 1} is not NAME=value`);
      continue;
    }
    const [quote = ''] = /^["'`]/.exec(value) ?? [];
    if (quote === '' || value.includes(quote, 1)) continue;
    const end = lines.findIndex((later, index) => index > at && later.includes(quote));
    if (end === -1) problems.push(`the quotation mark of line ${at + 1} is not closed`);
    else at = end;
  }
  return problems;
}
