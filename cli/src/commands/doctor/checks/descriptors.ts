import { readFileSync } from 'node:fs';
import { connectionLimits } from '@gatehouse/kit/system/descriptors';
import { count } from '../../../output/quantities.ts';
import { chosenProfile } from '../../../profiles/chosen-profile.ts';
import { stackProcess } from '../../../stack/addresses.ts';
import { type CheckContext, type Finding, ok, skipped, warning } from '../finding.ts';

/** The defaults of the settings. */
const EDGE_CONNECTIONS = 10_000;
const REALTIME_CONNECTIONS = 20_000;
/** Below this the services run short of connections to each other. */
const FEW = 1_024;

/** Checks the limit of open files: of this shell, and of a stack that runs on this machine. */
export async function checkDescriptors({ env }: CheckContext): Promise<readonly Finding[]> {
  const profile = chosenProfile(env);
  if (profile !== undefined) return [skipped('descriptors', `profile ${profile.name} is another machine's`)];
  const pid = stackProcess(env);
  const running = pid === undefined ? undefined : limitOf(pid);
  return [
    finding('processes that this shell starts', undefined, env),
    ...(running === undefined ? [] : [finding(`the stack that runs (process ${pid})`, running, env)]),
  ];
}

function finding(subject: string, limit: number | undefined, env: NodeJS.ProcessEnv): Finding {
  const { all } = limit === undefined ? connectionLimits() : connectionLimits(limit);
  if (all === Number.POSITIVE_INFINITY) return ok(subject, 'no limit of open files');
  const wanted = Math.max(
    numberIn(env.EDGE_MAX_CONNECTIONS) ?? EDGE_CONNECTIONS,
    numberIn(env.REALTIME_MAX_CONNECTIONS) ?? REALTIME_CONNECTIONS,
  );
  const advice = `Raise it to ${count(wanted * 2)} (ulimit -n, LimitNOFILE=), or lower EDGE_MAX_CONNECTIONS and REALTIME_MAX_CONNECTIONS.`;
  if (all < FEW)
    return warning(subject, `may open so few files that each takes ${count(all)} connections`, advice);
  if (all < wanted)
    return warning(subject, `each takes ${count(all)} connections, not ${count(wanted)}`, advice);
  return ok(subject, `each takes ${count(wanted)} connections`);
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
