import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import type { BenchOptions } from '../bench.ts';
import { type LoadRequest, load, median, quantile } from '../load.ts';
import { type Processes, processes } from '../processes.ts';
import { TRICKS, type TrickName } from './tricks.ts';

const CONNECTIONS = 64;
/** Before anything counts: the compiler needs some seconds of each edge. */
const WARM_SLICES = 15;
const SLICE_SECONDS = 0.4;
const REPLACE_MODULES = new URL('replace-modules.ts', import.meta.url).href;

/**
 * What each trick brings of row c0 (a session, a limit, an RPC to a service that answers at once) on 64
 * connections: per cent of the processor time that the edge and its services take for a request. An edge with all
 * tricks and one without are loaded in short slices, with, without, without, with, so that whatever else the machine
 * does falls on both.
 */
export async function without(
  names: readonly TrickName[],
  { rounds, seconds, say }: BenchOptions,
): Promise<Record<string, unknown>> {
  const { path: folder, remove } = await testDataFolder('bench');
  const resources = resourceStack();
  resources.add('folder', remove);
  try {
    const whole = await startEdge(folder, withoutTrick(''));
    resources.add('the whole edge', () => whole.running.stop());
    const gains: Record<string, unknown> = {};
    for (const name of names) {
      const plain = await startEdge(folder, withoutTrick(name));
      try {
        gains[name] = { what: TRICKS[name].what, ...(await compare(whole, plain, rounds * seconds)) };
      } finally {
        plain.running.stop();
      }
      say(`${name}: ${JSON.stringify(gains[name])}`);
    }
    return gains;
  } finally {
    await resources.close();
  }
}

/** Further ones of every request. */
export type LoadHeaders = Readonly<Record<string, string>>;

export interface Edge {
  readonly running: Processes;
  readonly url: string;
}

interface EdgeSettings {
  readonly node_options?: readonly string[];
  /** Asked for each process. */
  readonly env?: () => Promise<NodeJS.ProcessEnv>;
}

function withoutTrick(name: TrickName | ''): EdgeSettings {
  return { node_options: ['--import', `${REPLACE_MODULES}?${name}`] };
}

/** An edge, a ratelimit and services that answer at once, warm. */
export async function startEdge(
  folder: string,
  { node_options = [], env: own = async () => ({}) }: EdgeSettings,
): Promise<Edge> {
  const running = processes(folder);
  const env = { ...process.env, RPC_TRANSPORT: 'stream', LOG_LEVEL: 'info' };
  const [webhooks, auth] = (await running.start('at-once', env, node_options)).split(',');
  const ratelimit = await running.start('ratelimit', { ...env, ...(await own()) }, node_options);
  const addresses = { AUTH_ADDRESS: auth, RATELIMIT_ADDRESS: ratelimit, WEBHOOK_DELIVERY_ADDRESS: webhooks };
  const url = `http://${await running.start('gateway', { ...env, PORT: '0', ...addresses, ...(await own()) }, node_options)}`;
  const edge = { running, url };
  for (let slice = 0; slice < WARM_SLICES; slice++) await answersOf(edge, {});
  return edge;
}

/** The median of the turns, and between what half of them lie: how noisy the machine was. */
export async function compare(whole: Edge, plain: Edge, turns: number): Promise<Record<string, number>> {
  const costs: { readonly with_us: number; readonly without_us: number }[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const [with_us = 0, without_us = 0] = await costsOf([whole, plain]);
    costs.push({ with_us, without_us });
  }
  const gains = costs.map(({ with_us, without_us }) => without_us / with_us - 1);
  const percent = (share: number): number => Math.round(quantile(gains, share) * 1000) / 10;
  return {
    with_us: Math.round(median(costs.map(({ with_us }) => with_us)) * 10) / 10,
    brings: percent(0.5),
    half_from: percent(0.25),
    half_to: percent(0.75),
  };
}

/**
 * Processor time a request of each edge in a turn, in microseconds: all are loaded, one after the other and back. What an
 * edge does while others are loaded belongs to its own requests: it sends their spans.
 */
export async function costsOf(edges: readonly Edge[], headers: LoadHeaders = {}): Promise<number[]> {
  const used_us = (): number[] => edges.map(({ running }) => running.cpuTime_us());
  const before_us = used_us();
  const answers = edges.map(() => 0);
  const order = [...edges.keys()];
  for (const n of [...order, ...order.toReversed()]) {
    answers[n] = (answers[n] ?? 0) + (await answersOf(edges[n] as Edge, headers));
  }
  return used_us().map((us, n) => (us - (before_us[n] ?? 0)) / (answers[n] ?? 0));
}

/** How many requests are answered in a slice of load. */
async function answersOf({ url }: Edge, headers: LoadHeaders): Promise<number> {
  const { statuses } = await load({
    url,
    connections: CONNECTIONS,
    seconds: SLICE_SECONDS,
    requests: REQUESTS.map((request) => ({ ...request, headers: { ...request.headers, ...headers } })),
  });
  const others = Object.keys(statuses).filter((status) => status !== '200');
  if (others.length > 0) throw new Error(`the edge answered ${JSON.stringify(statuses)}`);
  return statuses['200'] ?? 0;
}

/** So many callers and webhooks that no limit of theirs is reached. */
const REQUESTS: readonly LoadRequest[] = Array.from({ length: 6_000 }, (_, index) => ({
  method: 'GET',
  path: `/api/v1/webhooks/${1_000_000_000_000 + index}/${String(index).padStart(64, 'a')}`,
  headers: { authorization: `Bearer gth_${String(index % 4_000).padStart(36, 'a')}` },
}));
