import { readFileSync } from 'node:fs';
import { connectionLimits, sharedConnectionLimits } from '@gatehouse/kit/system/descriptors';
import { count } from '../../../output/quantities.ts';
import { chosenProfile } from '../../../profiles/chosen-profile.ts';
import { stackProcess, stackShares } from '../../../stack/addresses.ts';
import { type CheckContext, type Finding, ok, skipped, warning } from '../finding.ts';

/** The defaults of the settings. */
const EDGE_CONNECTIONS = 10_000;
const REALTIME_CONNECTIONS = 20_000;
/** Below this the services run short of connections to each other. */
const FEW = 1_024;

/** What a process may open. */
interface Limit {
  /** Of open files. Undefined: that of this process, which is the shell's. */
  readonly open_files?: number | undefined;
  /** Whether edge and realtime are in one process with others, where each gets a quarter. */
  readonly is_shared: boolean;
}

/** Checks the limit of open files: of this shell, and of a stack that runs on this machine. */
export async function checkDescriptors({ env }: CheckContext): Promise<readonly Finding[]> {
  const profile = chosenProfile(env);
  if (profile !== undefined) return [skipped('descriptors', `profile ${profile.name} is another machine's`)];
  const shell = finding('processes that this shell starts', { is_shared: sharesBySettings(env) }, env);
  const pid = stackProcess(env);
  const open_files = pid === undefined ? undefined : limitOf(pid);
  if (open_files === undefined) return [shell];
  const subject = `the stack that runs (process ${pid})`;
  const running = finding(subject, { open_files, is_shared: stackShares(env) }, env);
  // With the same limit, a second finding would be the same fact.
  return limitOf(process.pid) === open_files ? [running] : [shell, running];
}

function finding(subject: string, { open_files, is_shared }: Limit, env: NodeJS.ProcessEnv): Finding {
  const limits = is_shared ? sharedConnectionLimits : connectionLimits;
  const { all, clients } = open_files === undefined ? limits() : limits(open_files);
  if (all === Number.POSITIVE_INFINITY) return ok(subject, 'no limit of open files');
  const edge = numberIn(env.EDGE_MAX_CONNECTIONS) ?? EDGE_CONNECTIONS;
  const realtime = numberIn(env.REALTIME_MAX_CONNECTIONS) ?? REALTIME_CONNECTIONS;
  const wanted = Math.max(edge, realtime) * (is_shared ? 5 : 2);
  const advice =
    `Raise the limit of open files to ${count(wanted)}: "ulimit -n ${wanted}" before the start, or LimitNOFILE=${wanted} ` +
    'in a unit of systemd. Or lower EDGE_MAX_CONNECTIONS and REALTIME_MAX_CONNECTIONS.';
  const why = is_shared
    ? 'by the limit of open files, of which each service in one process has a part'
    : 'by the limit of open files';
  if (all < FEW) return warning(subject, `${why}, each takes ${count(all)} connections`, advice);
  const short = [
    ...(all < edge ? [`the edge takes ${count(all)} connections, not ${count(edge)}`] : []),
    ...(clients < realtime ? [`realtime takes ${count(clients)} connections, not ${count(realtime)}`] : []),
  ];
  if (short.length > 0) return warning(subject, `${why}, ${short.join('; ')}`, advice);
  return ok(subject, `the edge takes ${count(edge)} connections, and realtime ${count(realtime)}`);
}

/** Whether processes that start with these settings share the descriptors of one process. */
function sharesBySettings({ ONE_PROCESS, SERVICES }: NodeJS.ProcessEnv): boolean {
  return ONE_PROCESS === 'yes' || (SERVICES ?? '').split(',').filter((name) => name.trim() !== '').length > 1;
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9][0-9]{0,6}$/.test(text) ? Number(text) : undefined;
}

/** Undefined if the system does not tell. */
function limitOf(pid: number): number | undefined {
  try {
    const [, hard] = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
    return hard === undefined ? undefined : Number(hard);
  } catch {
    return undefined;
  }
}
