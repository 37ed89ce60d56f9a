import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import type { BenchOptions } from '../bench.ts';
import { type LoadRequest, load, median, quantile } from '../load.ts';
import { type Processes, processes } from '../processes.ts';
import { TRICKS, type TrickName } from './tricks.ts';

const CONNECTIONS = 64;
const WARM_TURNS = 4;
const LEAD_SECONDS = 0.3;
const REPLACE_MODULES = new URL('replace-modules.ts', import.meta.url).href;

/**
 * What each trick brings of row c0 (a session, a limit, an RPC to a service that answers at once) on 64
 * connections. An edge with all tricks and an edge without one of them are measured in turn, a second each, and each
 * second without is compared with those before and after it: what else the machine does falls on both. `brings` is by
 * the processor time of all processes for a request, the load generator's included, which hardly changes with what
 * others take of the machine; `throughput` by requests a second.
 */
export async function without(
  names: readonly TrickName[],
  { rounds, seconds, say }: BenchOptions,
): Promise<Record<string, unknown>> {
  const { path: folder, remove } = await testDataFolder('bench');
  const resources = resourceStack();
  resources.add('folder', remove);
  const edge = async (name: TrickName | ''): Promise<Edge> => {
    const running = processes(folder);
    resources.add('processes', () => running.stop());
    return { running, url: await startEdge(running, name) };
  };
  try {
    const withAll = await edge('');
    const edges = new Map<TrickName, Edge>();
    for (const name of names) edges.set(name, await edge(name));
    say('started');

    const gains = new Map<TrickName, Cost[]>(names.map((name) => [name, []]));
    const costs: Cost[] = [];
    let before = await costAt(withAll);
    for (let turn = 1 - WARM_TURNS; turn <= rounds * seconds; turn++) {
      for (const [name, plain] of edges) {
        const cost = await costAt(plain);
        const after = await costAt(withAll);
        if (turn > 0) {
          gains.get(name)?.push(saved(cost, before, after));
          costs.push(after);
        }
        before = after;
      }
      if (turn === 0) say('warm');
      else if (turn > 0 && turn % seconds === 0) say(`round ${turn / seconds} of ${rounds}`);
    }
    return {
      'with all': {
        cpu_us: medianOf(costs, 'cpu_us'),
        per_second: Math.round(1e6 / medianOf(costs, 'request_us')),
      },
      ...Object.fromEntries(names.map((name) => [name, row(name, gains.get(name) ?? [])])),
    };
  } finally {
    await resources.close();
  }
}

interface Edge {
  readonly running: Processes;
  readonly url: string;
}

/** Of a request. */
interface Cost {
  readonly cpu_us: number;
  /** One by the number a second. */
  readonly request_us: number;
}

/** An edge, a ratelimit and services that answer at once, all without the trick. */
async function startEdge(running: Processes, name: TrickName | ''): Promise<string> {
  const node = ['--import', `${REPLACE_MODULES}?${name}`];
  const env = { ...process.env, RPC_TRANSPORT: 'stream', LOG_LEVEL: 'info' };
  const [webhooks, auth] = (await running.start('at-once', env, node)).split(',');
  const ratelimit = await running.start('ratelimit', env, node);
  const addresses = { AUTH_ADDRESS: auth, RATELIMIT_ADDRESS: ratelimit, WEBHOOK_DELIVERY_ADDRESS: webhooks };
  return `http://${await running.start('gateway', { ...env, PORT: '0', ...addresses }, node)}`;
}

async function costAt({ running, url }: Edge): Promise<Cost> {
  const before_us = await running.cpu_us();
  const { per_second, cpu_us, statuses } = await load({
    url,
    connections: CONNECTIONS,
    seconds: 1,
    lead_seconds: LEAD_SECONDS,
    requests: REQUESTS,
  });
  const { 200: answered = 0, ...others } = statuses;
  if (Object.keys(others).length > 0) throw new Error(`the edge answered ${JSON.stringify(statuses)}`);
  const taken_us = (await running.cpu_us()) - before_us;
  return { cpu_us: taken_us / answered + cpu_us, request_us: 1e6 / per_second };
}

/** What a cost is above those before and after it, as a share of them. */
function saved(plain: Cost, before: Cost, after: Cost): Cost {
  const share = (of: keyof Cost): number => plain[of] / ((before[of] + after[of]) / 2) - 1;
  return { cpu_us: share('cpu_us'), request_us: share('request_us') };
}

/** In per cent: the median, and between what half of the turns lie. */
function row(name: TrickName, gains: readonly Cost[]): Record<string, unknown> {
  const percent = (of: keyof Cost, share: number): number =>
    Math.round(
      quantile(
        gains.map((gain) => gain[of]),
        share,
      ) * 1000,
    ) / 10;
  return {
    what: TRICKS[name].what,
    brings: percent('cpu_us', 0.5),
    half_of_turns: `${percent('cpu_us', 0.25)} to ${percent('cpu_us', 0.75)}`,
    throughput: percent('request_us', 0.5),
    half_of_throughput: `${percent('request_us', 0.25)} to ${percent('request_us', 0.75)}`,
    turns: gains.length,
  };
}

function medianOf(costs: readonly Cost[], of: keyof Cost): number {
  return Math.round(median(costs.map((cost) => cost[of])) * 10) / 10;
}

/** So many callers and webhooks that no limit of theirs is reached. */
const REQUESTS: readonly LoadRequest[] = Array.from({ length: 6_000 }, (_, index) => ({
  method: 'GET',
  path: `/api/v1/webhooks/${1_000_000_000_000 + index}/${String(index).padStart(64, 'a')}`,
  headers: { authorization: `Bearer gth_${String(index % 4_000).padStart(36, 'a')}` },
}));
