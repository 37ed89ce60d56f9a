import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { type Plan, readRecord, type StepRecord } from './records.ts';

/** A program that plays callers: it takes a plan's path, and writes a line for each step. */
export interface CallerProgram {
  readonly language: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

export interface Play {
  /** The records so far, in the order of their arrival. */
  readonly records: readonly StepRecord[];
  /** The records of all steps. Rejects if the program fails. */
  readonly ended: Promise<readonly StepRecord[]>;
  /** Ends the program before its last step. */
  stop(): void;
}

export async function play(program: CallerProgram, plan: Plan): Promise<Play> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-callers-'));
  const file = join(folder, 'plan.json');
  await writeFile(file, JSON.stringify(plan));
  const [command, args] = dieWithParent('KILL', program.command, [...program.args, file]);
  const child = spawn(command, args, { stdio: 'pipe', env: { ...process.env, ...program.env } });
  const records: StepRecord[] = [];
  const ended = collect(program.language, child, records).finally(() => rm(folder, { recursive: true }));
  ended.catch(() => undefined); // the test awaits it later
  return { records, ended, stop: () => void child.stdin.end() };
}

async function collect(language: string, child: ChildProcess, records: StepRecord[]): Promise<StepRecord[]> {
  let rest = '';
  let errors = '';
  child.stdin?.on('error', () => undefined); // the program may end first
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4000);
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) records.push(readRecord(line));
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`the callers in ${language} ended with code ${code}: ${errors}`);
  return records;
}
