import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { startEmbeddedPostgres } from '@gatehouse/dev-env/embedded-postgres';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import { startSuite } from '../suite.ts';
import type { BenchOptions } from './bench.ts';
import { type Kind, kinds, mixed } from './capacity/kinds.ts';
import { sizing } from './capacity/sizing.ts';
import { populate as populateChat } from './chat/population.ts';
import { type LoadOrder, load, median } from './load.ts';
import { populateOauth2 } from './oauth2/population.ts';
import { suiteTimes_us, type Times } from './processor-times.ts';
import { populate as populateWebhooks } from './webhooks/population.ts';

const CONNECTIONS = 64;
const MIXED_REQUESTS = 8_000;
const WARM_TURNS = 4;
const KIND_SECONDS = 2;

/**
 * The capacity model: what each process takes for a request of each kind, measured one kind at a time; what that says of
 * a mix of them, beside what the mix takes when it is sent; and the cores that many times the load would need. A process
 * that is asked seldom takes longer for a request, as it shares nothing with others: so each kind is sent as often as
 * it comes in the mix. What processes take without any request is left out. The processor time of a request changes
 * little with the machine's other work, unlike rates.
 */
export async function capacity(options: BenchOptions): Promise<Record<string, unknown>> {
  const { path: folder, remove } = await testDataFolder('bench');
  const resources = resourceStack();
  resources.add('folder', remove);
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
    resources.add('postgres', () => postgres.close());
    const env = { ...process.env, NODE_COMPILE_CACHE: undefined, TRUSTED_PROXIES: '127.0.0.1' };
    const suite = await startSuite({
      port: 0,
      data_dir: join(folder, 'suite'),
      database_url: postgres.url,
      env,
    });
    resources.add('suite', () => suite.close());
    options.say('filling the databases');
    await populateChat(postgres.url);
    await populateWebhooks(postgres.url);
    await populateOauth2(postgres.url);
    const all = kinds(suite.url);
    const used = () => suiteTimes_us(suite, postgres.pid);

    const turns = new Map<string, Times[]>([...all.map(({ name }) => name), MIX].map((name) => [name, []]));
    for (let turn = -WARM_TURNS; turn < options.rounds * options.seconds; turn++) {
      const idle = await idleTimes(used);
      const statuses = all.map(({ status }) => status);
      const whole = {
        url: suite.url,
        connections: CONNECTIONS,
        seconds: 1,
        requests: mixed(all, MIXED_REQUESTS),
      };
      const mix = await timesOf(whole, statuses, { idle, used });
      note(turn, MIX, mix.times);
      for (const { name, share, requests, status } of all) {
        const order = {
          url: suite.url,
          connections: CONNECTIONS,
          seconds: KIND_SECONDS,
          requests: requests(),
          per_second: share * mix.per_second,
        };
        note(turn, name, (await timesOf(order, [status], { idle, used })).times);
      }
      options.say(turn < 0 ? 'warming up' : `turn ${turn + 1} of ${options.rounds * options.seconds}`);
    }

    function note(turn: number, name: string, times: Times): void {
      if (turn >= 0) turns.get(name)?.push(times);
    }

    const costs = new Map([...turns].map(([name, of]) => [name, medians(of)]));
    const measured = costs.get(MIX) ?? {};
    const predicted = prediction(all, costs);
    return {
      ...Object.fromEntries([...costs].map(([name, cost]) => [`${name}, µs`, rounded(cost)])),
      'the mix by the model, µs': rounded(predicted),
      'measured by the model': ratios(measured, predicted),
      ...sizing(larger(measured, predicted)),
    };
  } finally {
    await resources.close();
  }
}

const MIX = 'the mix';

interface Meter {
  /** What each process takes in a second without any request. */
  readonly idle: Times;
  readonly used: () => Times;
}

/** What each process takes for a request of a load. */
async function timesOf(
  order: LoadOrder,
  expected: readonly number[],
  { idle, used }: Meter,
): Promise<{ readonly times: Times; readonly per_second: number }> {
  const startedAt = performance.now();
  const before = used();
  const { statuses, per_second } = await load(order);
  const after = used();
  const seconds = (performance.now() - startedAt) / 1000;
  const others = Object.keys(statuses).filter((status) => !expected.includes(Number(status)));
  if (others.length > 0) throw new Error(`answered ${JSON.stringify(statuses)}`);
  const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const times = Object.entries(after).map(([name, us]): [string, number] => [
    name,
    Math.max(0, us - (before[name] ?? 0) - (idle[name] ?? 0) * seconds) / answered,
  ]);
  return { times: Object.fromEntries(times), per_second };
}

async function idleTimes(used: () => Times): Promise<Times> {
  await sleep(200); // what the requests before have left to do
  const before = used();
  await sleep(1_000);
  return Object.fromEntries(Object.entries(used()).map(([name, us]) => [name, us - (before[name] ?? 0)]));
}

/** The model: a mix takes what its parts take. */
function prediction(all: readonly Kind[], costs: ReadonlyMap<string, Times>): Times {
  const names = Object.keys(costs.get(MIX) ?? {});
  return Object.fromEntries(
    names.map((process) => [
      process,
      all.reduce((sum, { name, share }) => sum + share * (costs.get(name)?.[process] ?? 0), 0),
    ]),
  );
}

function medians(turns: readonly Times[]): Times {
  return Object.fromEntries(
    Object.keys(turns[0] ?? {}).map((name) => [name, median(turns.map((turn) => turn[name] ?? Number.NaN))]),
  );
}

/** Of what was measured and what the model says. */
function larger(measured: Times, predicted: Times): Times {
  return Object.fromEntries(
    Object.entries(measured).map(([name, us]) => [name, Math.max(us, predicted[name] ?? 0)]),
  );
}

function ratios(measured: Times, predicted: Times): Times {
  return Object.fromEntries(
    Object.entries(measured).map(([name, us]) => [
      name,
      Math.round((us / (predicted[name] ?? 0)) * 100) / 100,
    ]),
  );
}

function rounded(times: Times): Times {
  return Object.fromEntries(Object.entries(times).map(([name, us]) => [name, Math.round(us)]));
}
