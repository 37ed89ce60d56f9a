import { expect } from 'vitest';
import { runCommand } from './run-command.ts';

export interface Found {
  readonly check: string;
  readonly status: string;
  readonly subject: string;
  readonly text: string;
  readonly advice?: string;
}

/** Runs one check of the doctor; its exit code must fit its findings. */
export async function runDoctor(check: string, env: NodeJS.ProcessEnv): Promise<Found[]> {
  const { code, stdout, stderr } = await runCommand(['doctor', '--only', check, '--json'], { env });
  const found: Found[] = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  expect([code, stderr]).toEqual([found.some(({ status }) => status === 'problem') ? 1 : 0, '']);
  for (const { status, advice } of found)
    expect(advice !== undefined).toBe(status === 'problem' || status === 'warning');
  return found;
}
