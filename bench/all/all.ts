import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type AllArguments, ArgumentError } from '../arguments.ts';
import { type ReportJson, SCHEMA_VERSION } from '../report/report-json.ts';
import { type PieceFigures, renderPage } from './page/page.ts';
import { PIECES, type Piece } from './pieces.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
/** A piece is ended if it lasts longer than its time by this: starts, and turns of warm-up. */
const GRACE_MINUTES = 4;
/** The least that --minutes gets, in its form with one decimal. */
const LEAST_MINUTES = 0.1;

/**
 * Runs the pieces, each in a process of its own, and writes the page of all figures that `folder` then has. A piece that
 * fails is reported, and the others run. Returns the number of failures. Without any figures the page stays as it is.
 *
 * @throws ArgumentError if `from` has no figures, or figures of another form
 */
export async function all(
  options: AllArguments,
  folder = join(ROOT, 'artifacts/performance'),
): Promise<number> {
  const failures = options.from === undefined ? await runPieces(options, folder) : 0;
  const pieces = Object.entries(PIECES).map(([name, piece]) =>
    readFigures(options.from ?? folder, name, piece),
  );
  if (pieces.some(({ report }) => report !== undefined)) writePage(pieces);
  else if (options.from === undefined) say('no piece has figures: docs/performance.md stays as it is');
  else
    throw new ArgumentError(
      `--from: ${options.from} has no figures, such as reads.json; measure them: npm run bench -- all`,
    );
  return failures;
}

async function runPieces({ only, minutes, rounds }: AllArguments, folder: string): Promise<number> {
  const names = Object.keys(PIECES).filter((name) => only?.test(name) ?? true);
  mkdirSync(folder, { recursive: true });
  for (const name of names) await PIECES[name]?.prepare?.();
  const until_ms = performance.now() + minutes * 60_000;
  let failures = 0;
  for (const [n, name] of names.entries()) {
    const left = (until_ms - performance.now()) / 60_000 / (names.length - n);
    say(`piece ${n + 1} of ${names.length}: ${name}, about ${Math.ceil(left)} min`);
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
  const given = [name, '--json', '--minutes', Math.max(LEAST_MINUTES, minutes).toFixed(1), ...args];
  const child = spawn(process.execPath, [...process.execArgv, MAIN, ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let isLate = false;
  const end = (): void => {
    isLate = true;
    child.kill();
  };
  const timeout = setTimeout(end, (minutes + GRACE_MINUTES) * 60_000);
  let last = '';
  child.stderr.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk);
    last = (last + chunk.toString()).slice(-2_000);
  });
  const ended = Promise.all([buffer(child.stdout), once(child, 'close')]);
  const [report, [code, signal]] = await ended.finally(() => clearTimeout(timeout));
  if (code === 0) return report;
  if (isLate) throw new Error('it took too long');
  if (signal !== null) throw new Error(`${signal} ended it`);
  const reason = /^bench: FAILED: (.+)$/m.exec(last)?.[1] ?? last.trim().split('\n').at(-1);
  throw new Error(`${reason} (exit code ${code})`);
}

function readFigures(folder: string, name: string, piece: Piece): PieceFigures {
  const [json, failed] = [join(folder, `${name}.json`), join(folder, `${name}.failed.txt`)];
  return {
    name,
    piece,
    report: existsSync(json) ? readReport(json, name) : undefined,
    failure: existsSync(failed) ? readFileSync(failed, 'utf8') : undefined,
  };
}

function readReport(file: string, name: string): ReportJson {
  const report = JSON.parse(readFileSync(file, 'utf8')) as ReportJson;
  if (report.schema_version === SCHEMA_VERSION) return report;
  throw new ArgumentError(
    `${file} has schema_version ${report.schema_version}, not ${SCHEMA_VERSION}; measure it again: npm run bench -- all --only ${name}`,
  );
}

function writePage(pieces: readonly PieceFigures[]): void {
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
