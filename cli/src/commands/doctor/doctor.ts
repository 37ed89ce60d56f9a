import { ExitCode } from '../../failures.ts';
import { printJson } from '../../output/facts.ts';
import { printable } from '../../output/printable.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { CHECK_NAMES, type CheckName } from './check-names.ts';
import { checkCertificates } from './checks/certificates.ts';
import { checkClocks } from './checks/clocks.ts';
import { checkDatabases } from './checks/databases.ts';
import { checkDescriptors } from './checks/descriptors.ts';
import { checkMail } from './checks/mail.ts';
import { checkNames } from './checks/names.ts';
import { checkPorts } from './checks/ports.ts';
import { checkRedis } from './checks/redis.ts';
import { checkSettings } from './checks/settings.ts';
import { CHECK_TIMEOUT_MS, type CheckContext, type Finding, problem } from './finding.ts';

export interface DoctorOptions {
  readonly only?: readonly CheckName[];
  readonly json?: boolean;
}

const CHECKS: Readonly<Record<CheckName, (context: CheckContext) => Promise<readonly Finding[]>>> = {
  settings: checkSettings,
  certificates: checkCertificates,
  names: checkNames,
  ports: checkPorts,
  descriptors: checkDescriptors,
  databases: checkDatabases,
  redis: checkRedis,
  mail: checkMail,
  clocks: checkClocks,
};

/** Runs all checks at once and prints their findings in order. A problem is exit code 1. */
export async function doctor({ only, json }: DoctorOptions, runtime: Runtime): Promise<void> {
  const names = CHECK_NAMES.filter((name) => only === undefined || only.includes(name));
  const running = names.map((name) => ({ name, findings: bounded(name, runtime) }));
  const all: Finding[] = [];
  for (const { name, findings } of running) {
    const found = await findings;
    all.push(...found);
    if (json) for (const finding of found) printJson({ check: name, ...finding }, runtime);
    else printLine(runtime, checkText(name, found));
  }
  if (!json) printLine(runtime, summary(all));
  if (all.some(({ status }) => status === 'problem')) runtime.exitCode = ExitCode.NEGATIVE;
}

/** A check that fails or does not end is a problem of its own. */
async function bounded(name: CheckName, { env, signal }: Runtime): Promise<readonly Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Finding[]>((resolve) => {
    const finding = problem(
      name,
      `did not end within ${CHECK_TIMEOUT_MS / 1000} s`,
      'Look at the servers it asks.',
    );
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, [finding]);
  });
  try {
    return await Promise.race([CHECKS[name]({ env, signal }), late]);
  } catch (error) {
    return [problem(name, `failed: ${(error as Error).message}`, 'The other checks do not depend on it.')];
  } finally {
    clearTimeout(timer);
  }
}

const MARKS: Readonly<Record<Finding['status'], string>> = {
  ok: 'ok     ',
  warning: 'WARNING',
  problem: 'PROBLEM',
  skipped: '-      ',
};

function checkText(name: string, findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ status, subject, text, advice }) => [
    `  ${MARKS[status]}  ${printable(subject)}: ${printable(text)}`,
    ...(advice === undefined ? [] : [`           ${printable(advice)}`]),
  ]);
  return [name, ...lines, ''].join('\n');
}

function summary(findings: readonly Finding[]): string {
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length;
  const counts = [
    [count('problem'), 'problem'],
    [count('warning'), 'warning'],
  ] as const;
  const text = counts.map(([number, what]) => `${number} ${what}${number === 1 ? '' : 's'}`).join(', ');
  return `${text}, ${count('ok')} ok, ${count('skipped')} not checked`;
}
