import type { BenchOptions } from '../bench.ts';
import { populateChat } from '../chat/population.ts';
import { load, medians } from '../load/load.ts';
import { takeTurns } from '../load/turns.ts';
import { populateOauth2 } from '../oauth2/population.ts';
import { withFixture } from '../parts/fixture.ts';
import { stackTimes_us, type Times } from '../parts/processor-times.ts';
import { figuresOf } from '../report/figure.ts';
import { populateWebhooks } from '../webhooks/population.ts';
import { type Kind, kinds, mixed } from './kinds.ts';
import { sizing } from './sizing.ts';

const CONNECTIONS = 64;
const MIXED_REQUESTS = 8_000;
const WARM_TURNS = 4;
/** The share of one kind in a weighted mix. The rest is the ordinary mix. */
const KIND_SHARE = 0.5;

/**
 * The capacity model: the processor time of each process per request of each kind, its prediction for other mixes
 * compared with measurements, and the cores needed for larger loads.
 *
 * The cost of a request depends on the load: simultaneous requests share wake-ups and statements. So no kind is
 * measured alone: the benchmark measures mixes that are weighted towards one kind each, and computes the costs of the
 * kinds from them. Unlike rates, processor time depends little on other work of the machine.
 */
export async function capacity(options: BenchOptions): Promise<undefined> {
  await withFixture(async (fixture) => {
    const postgres = await fixture.postgres();
    const stack = await fixture.stack({ database_url: postgres.url, env: { TRUSTED_PROXIES: '127.0.0.1' } });
    options.say('filling the databases');
    await populateChat(postgres.url);
    await populateWebhooks(postgres.url);
    await populateOauth2(postgres.url);
    const all = kinds(stack.url);
    const used = () => stackTimes_us(stack, postgres.pid);

    const mixes = new Map([
      ...all.map((kind) => [kind.name, weightedTowards(all, kind)] as const),
      [MIX, all],
      [EVEN, all.map((kind) => ({ ...kind, share: 1 / all.length }))],
    ]);
    const turns = new Map<string, Times[]>([...mixes.keys()].map((name) => [name, []]));
    const loop = { warm: WARM_TURNS, counted: options.rounds * options.seconds };
    await takeTurns('mixes', loop, options, async (isCounted) => {
      for (const [name, mix] of mixes) {
        const times = await mixTimes(stack.url, mix, used);
        if (isCounted) turns.get(name)?.push(times);
      }
    });

    const measured = new Map([...turns].map(([name, times]) => [name, medians(times)]));
    const costs = model(all, measured);
    const predicted = (name: string) => prediction(mixes.get(name) ?? [], costs);
    const [mix = {}, even = {}] = [MIX, EVEN].map((name) => measured.get(name));
    options.report({
      title: 'processor time of a request',
      about: 'Microseconds by process: of each kind, computed from mixes.',
      rows: [...costs].map(([name, figures]) => ({ name, figures })),
    });
    options.report({
      title: 'mixes',
      about: 'Microseconds per request by process.',
      rows: [
        { name: MIX, figures: figuresOf(turns.get(MIX) ?? []) },
        { name: `${MIX}, predicted`, figures: predicted(MIX) },
        { name: EVEN, figures: figuresOf(turns.get(EVEN) ?? []) },
        { name: `${EVEN}, predicted`, figures: predicted(EVEN) },
      ],
    });
    options.report({
      title: 'measured ÷ predicted',
      rows: [
        { name: MIX, figures: ratios(mix, predicted(MIX)) },
        { name: EVEN, figures: ratios(even, predicted(EVEN)) },
      ],
    });
    const rows = Object.entries(sizing(larger(mix, predicted(MIX))));
    options.report({ title: 'cores by load', rows: rows.map(([name, figures]) => ({ name, figures })) });
  });
}

const MIX = 'the mix';
const EVEN = 'even shares';

function weightedTowards(all: readonly Kind[], towards: Kind): Kind[] {
  return all.map((kind) => ({
    ...kind,
    share: (1 - KIND_SHARE) * kind.share + (kind === towards ? KIND_SHARE : 0),
  }));
}

/** Measures the processor time of each process per request during one second of a mix. */
async function mixTimes(url: string, mix: readonly Kind[], used: () => Times): Promise<Times> {
  const before = used();
  const { statuses } = await load({
    url: new URL(url).origin,
    connections: CONNECTIONS,
    seconds: 1,
    requests: mixed(mix, MIXED_REQUESTS),
  });
  const after = used();
  const expected = new Set(mix.map(({ status }) => String(status)));
  if (Object.keys(statuses).some((status) => !expected.has(status)))
    throw new Error(`answered ${JSON.stringify(statuses)}`);
  const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return Object.fromEntries(
    Object.entries(after).map(([name, us]) => [name, (us - (before[name] ?? 0)) / answered]),
  );
}

/**
 * The cost of a request of each kind, computed from the weighted mixes: a weighted mix costs
 * `(1 - KIND_SHARE) * mix + KIND_SHARE * kind`, and the ordinary mix costs the sum of the kinds by their shares.
 */
function model(all: readonly Kind[], measured: ReadonlyMap<string, Times>): Map<string, Times> {
  const processes = Object.keys(measured.get(MIX) ?? {});
  const timeOf = (name: string, process: string): number => measured.get(name)?.[process] ?? 0;
  const costs = (kind: Kind, process: string): number => {
    const mix = all.reduce((sum, { name, share }) => sum + share * timeOf(name, process), 0);
    return Math.max(0, (timeOf(kind.name, process) - (1 - KIND_SHARE) * mix) / KIND_SHARE);
  };
  return new Map(
    all.map((kind) => [
      kind.name,
      Object.fromEntries(processes.map((process) => [process, costs(kind, process)])),
    ]),
  );
}

/** The predicted cost of a mix: the sum of its kinds by their shares. */
function prediction(mix: readonly Kind[], costs: ReadonlyMap<string, Times>): Times {
  const processes = Object.keys(costs.values().next().value ?? {});
  return Object.fromEntries(
    processes.map((process) => [
      process,
      mix.reduce((sum, { name, share }) => sum + share * (costs.get(name)?.[process] ?? 0), 0),
    ]),
  );
}

/** The larger of measurement and prediction. */
function larger(measured: Times, predicted: Times): Times {
  return Object.fromEntries(
    Object.entries(measured).map(([name, us]) => [name, Math.max(us, predicted[name] ?? 0)]),
  );
}

function ratios(measured: Times, predicted: Times): Times {
  return Object.fromEntries(
    Object.entries(measured).map(([name, us]) => [name, us / (predicted[name] ?? 0)]),
  );
}
