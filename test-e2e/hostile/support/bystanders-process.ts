/** Well-behaved clients in their own process, so that nothing else affects their figures. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Target } from '../attacks/attack.ts';
import type { Bystander, BystandersReport, BystandersSetup, LatencyFigures } from './bystanders.ts';

const ANSWER_WITHIN_MS = 10_000;
/** The first requests of each client, which are not measured: they open connections and warm up the compiler. */
const WARM_UP = 4;

process.on('disconnect', () => process.exit());
process.on('message', (message: BystandersSetup | 'end') => {
  if (message === 'end') void finish?.().then((seen) => process.send?.(seen));
  else void begin(message);
});

let finish: (() => Promise<BystandersReport>) | undefined;

async function begin({ target, bystanders }: BystandersSetup): Promise<void> {
  const clients = bystanders.map((bystander) => client(target, bystander));
  await Promise.all(clients.map(({ warmUp }) => warmUp()));
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  for (const { start } of clients) start();
  finish = async () => {
    const figures = await Promise.all(clients.map(({ stop }) => stop()));
    return { figures: Object.fromEntries(figures), lag_ms: Math.round(lag.max / 1e6) };
  };
  process.send?.('ready');
}

/** Sends requests at a constant rate, answered or not: a stalled server does not slow it down. */
function client(target: Target, bystander: Bystander) {
  const { name, per_second } = bystander;
  const kept = new Agent({ keepAlive: true });
  const times: number[] = [];
  const failures: Record<string, number> = {};
  const open = new Set<Promise<void>>();
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;

  async function ask(): Promise<void> {
    const n = turn++;
    const startedAt = performance.now();
    // Every other request opens a new connection: acceptance is measured too.
    const outcome = await askOnce(target, bystander, n, n % 2 === 0 ? kept : undefined);
    times.push(performance.now() - startedAt);
    if (outcome !== '200') failures[outcome] = (failures[outcome] ?? 0) + 1;
  }

  return {
    warmUp: async () => {
      for (let n = 0; n < WARM_UP; n++) await ask();
      times.length = 0;
      for (const what of Object.keys(failures)) delete failures[what];
    },
    start: () => {
      timer = setInterval(() => {
        const asked = ask();
        open.add(asked);
        void asked.then(() => open.delete(asked));
      }, 1000 / per_second);
    },
    stop: async (): Promise<[string, LatencyFigures]> => {
      clearInterval(timer);
      await Promise.all(open);
      kept.destroy();
      return [name, { ...percentiles(times), failures }];
    },
  };
}

/**
 * The status, or the failure. A request on a kept-alive connection that the server has just closed is retried, as
 * clients do.
 */
async function askOnce(
  target: Target,
  bystander: Bystander,
  n: number,
  agent: Agent | undefined,
): Promise<string> {
  const first = await answerTo(target, bystander, n, agent);
  if (!first.reused || !['ECONNRESET', 'EPIPE'].includes(first.outcome)) return first.outcome;
  return (await answerTo(target, bystander, n, undefined)).outcome;
}

function answerTo(
  { host, port }: Target,
  { from, path, tokens }: Bystander,
  n: number,
  agent: Agent | undefined,
): Promise<{ outcome: string; reused: boolean }> {
  const token = tokens[n % Math.max(1, tokens.length)];
  return new Promise((resolve) => {
    const asked = request({
      host,
      port,
      path,
      localAddress: from,
      agent: agent ?? false,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    const settle = (outcome: string) => resolve({ outcome, reused: asked.reusedSocket });
    const late = setTimeout(() => {
      settle(`no response in ${ANSWER_WITHIN_MS / 1000} s`);
      asked.destroy();
    }, ANSWER_WITHIN_MS);
    asked.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
    asked.once('close', () => clearTimeout(late));
    asked.once('response', (response: IncomingMessage) => {
      response.resume();
      response.once('end', () => settle(String(response.statusCode)));
      response.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
    });
    asked.end();
  });
}

function percentiles(times: readonly number[]): Omit<LatencyFigures, 'failures'> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (quantile: number) => Math.round(sorted[Math.ceil(sorted.length * quantile) - 1] ?? 0);
  return { requests: sorted.length, p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1) };
}
