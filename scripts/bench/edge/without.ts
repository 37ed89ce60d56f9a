import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import type { BenchOptions } from '../bench.ts';
import { type LoadRequest, load, median, quantile } from '../load.ts';
import { type Processes, processes } from '../processes.ts';
import { TRICKS, type TrickName } from './tricks.ts';

const CONNECTIONS = 64;
/** Before anything counts: the compiler needs some seconds of each edge. */
const WARM_TURNS = 8;
const LEAD_SECONDS = 0.3;
const REPLACE_MODULES = new URL('replace-modules.ts', import.meta.url).href;

/**
 * What each trick brings of row c0 (a session, a limit, an RPC to a service that answers at once) on 64
 * connections, in per cent of requests a second. An edge with all tricks and, for each trick, one without it are
 * measured for a second each turn, in an order that is drawn, and compared within their turn.
 */
export async function without(
  names: readonly TrickName[],
  { rounds, seconds, say }: BenchOptions,
): Promise<Record<string, unknown>> {
  const { path: folder, remove } = await testDataFolder('bench');
  const resources = resourceStack();
  resources.add('folder', remove);
  try {
    const running = processes(folder);
    resources.add('processes', () => running.stop());
    const edges: Edge[] = [];
    for (const name of ['', ...names] as const) edges.push(await startEdge(running, name));
    const [withAll, ...plain] = edges as [Edge, ...Edge[]];
    say('started');

    for (let turn = 1 - WARM_TURNS; turn <= rounds * seconds; turn++) {
      for (const { url, speeds } of shuffled(edges)) {
        const speed = await speedOf(url);
        if (turn > 0) speeds.push(speed);
      }
      if (turn === 0) say('warm');
      else if (turn > 0 && turn % seconds === 0) say(`round ${turn / seconds} of ${rounds}`);
    }
    return {
      'with all': { per_second: Math.round(median(withAll.speeds)), turns: withAll.speeds.length },
      ...Object.fromEntries(plain.map((edge, index) => [names[index], gainOf(withAll, edge)])),
    };
  } finally {
    await resources.close();
  }
}

interface Edge {
  readonly name: TrickName | '';
  readonly url: string;
  /** Requests a second, of each turn. */
  readonly speeds: number[];
}

/** An edge, a ratelimit and services that answer at once, all without the trick. */
async function startEdge(running: Processes, name: TrickName | ''): Promise<Edge> {
  const node_options = ['--import', `${REPLACE_MODULES}?${name}`];
  const env = { ...process.env, RPC_TRANSPORT: 'stream', LOG_LEVEL: 'info' };
  const [webhooks, auth] = (await running.start('at-once', env, node_options)).split(',');
  const ratelimit = await running.start('ratelimit', env, node_options);
  const addresses = { AUTH_ADDRESS: auth, RATELIMIT_ADDRESS: ratelimit, WEBHOOK_DELIVERY_ADDRESS: webhooks };
  const address = await running.start('gateway', { ...env, PORT: '0', ...addresses }, node_options);
  return { name, url: `http://${address}`, speeds: [] };
}

async function speedOf(url: string): Promise<number> {
  const { per_second, statuses } = await load({
    url,
    connections: CONNECTIONS,
    seconds: 1,
    lead_seconds: LEAD_SECONDS,
    requests: REQUESTS,
  });
  const others = Object.keys(statuses).filter((status) => status !== '200');
  if (others.length > 0) throw new Error(`the edge answered ${JSON.stringify(statuses)}`);
  return per_second;
}

/** So many callers and webhooks that no limit of theirs is reached. */
const REQUESTS: readonly LoadRequest[] = Array.from({ length: 6_000 }, (_, index) => ({
  method: 'GET',
  path: `/api/v1/webhooks/${1_000_000_000_000 + index}/${String(index).padStart(64, 'a')}`,
  headers: { authorization: `Bearer gth_${String(index % 4_000).padStart(36, 'a')}` },
}));

/** The median of all turns, and between what half of them lie: how noisy the machine was. */
function gainOf(withAll: Edge, { name, speeds }: Edge): Record<string, unknown> {
  const gains = speeds.map((speed, turn) => (withAll.speeds[turn] ?? Number.NaN) / speed - 1);
  const percent = (share: number): number => Math.round(quantile(gains, share) * 1000) / 10;
  return {
    what: name === '' ? '' : TRICKS[name].what,
    brings: percent(0.5),
    half_from: percent(0.25),
    half_to: percent(0.75),
  };
}

function shuffled<T>(values: readonly T[]): T[] {
  const keyed = values.map((value) => ({ value, key: Math.random() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ value }) => value);
}
