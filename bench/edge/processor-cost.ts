import { type LoadRequest, load } from '../load/load.ts';
import { type Processes, processes } from '../parts/processes.ts';

const CONNECTIONS = 64;
/** Seconds of warm-up per edge, for V8's compiler. */
const WARM_SLICES = 15;
const SLICE_SECONDS = 0.4;

export interface Edge {
  readonly running: Processes;
  readonly url: string;
}

/**
 * Starts and warms up an edge, a ratelimit and stubs of services.
 * @param own returns further settings; called for ratelimit, then for the edge
 */
export async function startEdge(folder: string, own: () => Promise<NodeJS.ProcessEnv>): Promise<Edge> {
  const running = processes(folder);
  const env = { ...process.env, LOG_LEVEL: 'info' };
  const [webhooks, auth] = (await running.start('stubs', env)).split(',');
  const ratelimit = await running.start('ratelimit', { ...env, ...(await own()) });
  const addresses = { AUTH_ADDRESS: auth, RATELIMIT_ADDRESS: ratelimit, WEBHOOK_DELIVERY_ADDRESS: webhooks };
  const url = `http://${await running.start('gateway', { ...env, PORT: '0', ...addresses, ...(await own()) })}`;
  const edge = { running, url };
  for (let slice = 0; slice < WARM_SLICES; slice++) await answersOf(edge, {});
  return edge;
}

/**
 * Processor time per request of each edge in a turn, in microseconds. The edges are loaded one after the other, in both
 * directions. An edge's work during the load of others counts too, since it sends the spans of its own requests.
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

/** Additional headers of every request. */
type LoadHeaders = Readonly<Record<string, string>>;

/** The number of requests answered in a slice of load. */
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

/** Rotates through so many callers and webhooks that none reaches a limit. */
const REQUESTS: readonly LoadRequest[] = Array.from({ length: 6_000 }, (_, index) => ({
  method: 'GET',
  path: `/api/v1/webhooks/${1_000_000_000_000 + index}/${String(index).padStart(64, 'a')}`,
  headers: { authorization: `Bearer gth_${String(index % 4_000).padStart(36, 'a')}` },
}));
