import type { BenchOptions } from '../bench.ts';
import { countUnexpected, type LoadCase, turnOf } from '../load/in-turns.ts';
import { load } from '../load/load.ts';
import { takeTurns } from '../load/turns.ts';
import { figureOf, ratioOf } from '../report/figure.ts';
import { FURTHER_WEBHOOK, webhookPath } from './population.ts';

const TITLE = 'largest push';
const BYTES = 25 * 1024 * 1024;
const COMMITS = 2_048;
const WARM_TURNS = 2;

interface Turn {
  readonly push_ms: number;
  readonly meanwhile_p99_ms: number;
  readonly alone_p99_ms: number;
}

/**
 * Measures the largest push that a code host may send, and the latency of other webhooks' executions during it,
 * compared with their latency without it.
 */
export async function bigPush(others: LoadCase, options: BenchOptions): Promise<void> {
  if (!options.wants(TITLE)) return;
  const body = push();
  const url = new URL(`/api/v1${webhookPath(FURTHER_WEBHOOK)}/codehost`, others.url);
  const turns: Turn[] = [];
  await takeTurns(TITLE, { warm: WARM_TURNS, counted: options.rounds }, options, async (isCounted) => {
    const alone_p99_ms = await p99Of(others);
    const [meanwhile_p99_ms, push_ms] = await Promise.all([p99Of(others), send(url, body)]);
    if (isCounted) turns.push({ push_ms, meanwhile_p99_ms, alone_p99_ms });
  });
  const of = (member: keyof Turn): number[] => turns.map((turn) => turn[member]);
  options.report({
    title: TITLE,
    about: `${BYTES / 1024 / 1024} MiB, ${COMMITS} commits: the time until its 204, and p99 of ${others.name} in the second in which it
arrives, compared with a second before.`,
    rows: [
      {
        name: 'push',
        figures: {
          push_ms: figureOf(of('push_ms')),
          p99_ms: figureOf(of('meanwhile_p99_ms')),
          p99_ratio: ratioOf(of('meanwhile_p99_ms'), of('alone_p99_ms')),
        },
      },
    ],
  });
}

async function p99Of(others: LoadCase): Promise<number> {
  const result = await load(turnOf(others));
  if (countUnexpected(others.expected, result) > 0)
    throw new Error(`answered ${JSON.stringify(result.statuses)}`);
  return result.p99_ms;
}

async function send(url: URL, body: Buffer): Promise<number> {
  const from_ms = performance.now();
  const headers = { 'content-type': 'application/json', 'x-codehost-event': 'push' };
  const { status } = await fetch(url, { method: 'POST', headers, body });
  if (status !== 204) throw new Error(`the push was answered ${status}`);
  return performance.now() - from_ms;
}

/** All commits have the same size. */
function push(): Buffer {
  const commit = (n: number, message: string) => {
    const id = n.toString(16).padStart(40, '0');
    return { id, message, url: `https://code.test/bench/commit/${id}`, author: { name: 'Bench' } };
  };
  const payload = (message: string): string =>
    JSON.stringify({
      ref: 'refs/heads/main',
      compare: 'https://code.test/bench/compare/main',
      repository: { name: 'bench', html_url: 'https://code.test/bench' },
      sender: { login: 'bench', html_url: 'https://code.test/bench' },
      commits: Array.from({ length: COMMITS }, (_, n) => commit(n, message)),
    });
  return Buffer.from(payload('m'.repeat(Math.floor((BYTES - payload('').length) / COMMITS))));
}
