import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { inheritedEnv } from '../../support/command.ts';
import type { Report, Target } from '../attacks/attack.ts';
import type { AttackSpec } from '../attacks/index.ts';
import type { AttackOrder } from './attacker-process.ts';

export interface Attacker {
  /** Its result; undefined if it was stopped. */
  readonly report: Promise<Report | undefined>;
  /** Ends the attack early. */
  stop(): void;
}

export function attack(target: Target, order: AttackSpec): Attacker {
  const child = forkScript('attacker-process.ts');
  child.send({ target, order } satisfies AttackOrder);
  let stopped = false;
  return {
    report: reportOf(child, () => stopped),
    stop: () => {
      stopped = true;
      child.kill('SIGKILL');
    },
  };
}

async function reportOf(child: ChildProcess, stopped: () => boolean): Promise<Report | undefined> {
  let report: Report | undefined;
  child.once('message', (message) => {
    report = message as Report; // Its only message.
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (report === undefined && !stopped()) throw new Error(`an attacker ended with ${code}`);
  return report;
}

/** Without the arguments and settings of this process, which belong to vitest. */
export function forkScript(name: string): ChildProcess {
  return fork(new URL(name, import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: inheritedEnv(),
  });
}
