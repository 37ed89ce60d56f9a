import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface TaskOutcome {
  readonly passed: boolean;
  /** Its output. */
  readonly output: string;
}

/** The part of turbo's run summary that is used here. */
interface Summary {
  readonly tasks: readonly {
    readonly task: string;
    /** Relative to the project's root. */
    readonly logFile: string;
    readonly execution?: { readonly exitCode: number | null };
  }[];
}

/** Runs tasks of turbo.json in parallel. A task that passed on the same inputs is not repeated. */
export function runTasks(root: string, names: readonly string[]): ReadonlyMap<string, TaskOutcome> {
  const how = ['--continue=always', '--output-logs=none', '--summarize'];
  const { stdout, stderr, error } = spawnSync('turbo', ['run', ...names, ...how], {
    cwd: root,
    encoding: 'utf8',
  });
  const file = /^ *Summary: +(\S.*)$/m.exec(stdout ?? '')?.[1];
  if (file === undefined) {
    const output = error?.message ?? `${stdout}${stderr}`;
    return new Map(names.map((name) => [name, { passed: false, output }]));
  }
  const { tasks }: Summary = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return new Map(
    tasks.map(({ task, logFile, execution }) => {
      const passed = execution?.exitCode === 0;
      return [task, { passed, output: passed ? '' : readFileSync(join(root, logFile), 'utf8') }];
    }),
  );
}
