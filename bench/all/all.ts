import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { AllArguments } from '../arguments.ts';
import type { ReportJson } from '../report/report-json.ts';
import { renderPage } from './page/page.ts';
import { PIECES } from './pieces.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
/** A piece is ended if it lasts longer than its time by this: starts, and turns of warm-up. */
const GRACE_MINUTES = 4;

/**
 * Runs the pieces, each in a process of its own, and writes the page of all figures that `folder` then has. A piece that
 * fails is reported, and the others run. Returns the number of failures.
 */
export async function all(
  options: AllArguments,
  folder = join(ROOT, 'artifacts/performance'),
): Promise<number> {
  const failures = options.from === undefined ? await runPieces(options, folder) : 0;
  writePage(options.from ?? folder);
  return failures;
}

async function runPieces({ only, minutes, rounds }: AllArguments, folder: string): Promise<number> {
  const names = Object.keys(PIECES).filter((name) => only?.test(name) ?? true);
  mkdirSync(folder, { recursive: true });
  const until_ms = performance.now() + minutes * 60_000;
  let failures = 0;
  for (const [n, name] of names.entries()) {
    const left = (until_ms - performance.now()) / 60_000 / (names.length - n);
    say(`piece ${n + 1} of ${names.length}: ${name}, at most ${Math.ceil(left)} min`);
    const failed = join(folder, `${name}.failed.txt`);
    rmSync(failed, { force: true });
    try {
      if (left <= 0) throw new Error('no time was left; --minutes gives more');
      const args = rounds === undefined ? [] : ['--rounds', String(rounds)];
      const report = await runPiece(name, left, args);
      writeFileSync(join(folder, `${name}.json`), report);
    } catch (error) {
      failures++;
      const reason = error instanceof Error ? error.message : String(error);
      say(`${name} FAILED: ${reason}`);
      writeFileSync(failed, reason);
    }
  }
  return failures;
}

/** Returns the JSON. */
async function runPiece(name: string, minutes: number, args: readonly string[]): Promise<Buffer> {
  const given = [name, '--json', '--minutes', minutes.toFixed(1), ...args];
  const child = spawn(process.execPath, [...process.execArgv, MAIN, ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: Math.ceil((minutes + GRACE_MINUTES) * 60_000),
  });
  let last = '';
  child.stderr.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk);
    last = (last + chunk.toString()).slice(-2_000);
  });
  const [report, [code, signal]] = await Promise.all([buffer(child.stdout), once(child, 'close')]);
  if (code === 0) return report;
  const reason = /^bench: FAILED: (.+)$/m.exec(last)?.[1] ?? last.trim().split('\n').at(-1);
  throw new Error(signal === null ? `${reason} (exit code ${code})` : 'it took too long');
}

function writePage(folder: string): void {
  const pieces = Object.entries(PIECES).map(([name, piece]) => {
    const [json, failed] = [join(folder, `${name}.json`), join(folder, `${name}.failed.txt`)];
    return {
      name,
      piece,
      report: existsSync(json) ? (JSON.parse(readFileSync(json, 'utf8')) as ReportJson) : undefined,
      failure: existsSync(failed) ? readFileSync(failed, 'utf8') : undefined,
    };
  });
  const { markdown, plots } = renderPage(pieces);
  const pictures = join(ROOT, 'docs/performance');
  rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures, { recursive: true });
  for (const [name, svg] of plots) writeFileSync(join(pictures, name), svg);
  writeFileSync(join(ROOT, 'docs/performance.md'), markdown);
  say('wrote docs/performance.md');
}

function say(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}
