import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Resources } from '@gatehouse/kit/lifecycle';
import type { BenchOptions } from '../bench.ts';
import { takeTurns } from '../load/turns.ts';
import { withFixture } from '../parts/fixture.ts';
import { figuresOf } from '../report/figure.ts';
import { countingProxy, type Wire } from './counting-proxy.ts';
import type { Order, Usage } from './side.ts';

const TITLE = 'a check by link';
const ABOUT =
  'One check of the global bucket and a route’s, in memory. Bytes include HTTP/2. Allocated are heap and buffers. By the direct link, client and server are one process.';
const IN_FLIGHT = [1, 8, 64];
const CHECKS = 8_000;
const WARM_CHECKS = 40_000;
/** MiB of V8's young generation: it holds everything that a turn allocates, so that no garbage is collected in a turn. */
const YOUNG_MB = 256;

type Figures = Readonly<Record<string, number>>;

interface Side {
  readonly child: ChildProcess;
  readonly address: string;
  /** Rejects when the process ends. */
  readonly ended: Promise<never>;
}

/** Bytes, frames, allocations and processor time of a check, over the call stream and by the direct link. */
export async function checksByLink(options: BenchOptions): Promise<void> {
  const links = IN_FLIGHT.flatMap((in_flight) => [
    { name: `call stream, ${in_flight} in flight`, in_flight, isDirect: false },
    { name: `direct link, ${in_flight} in flight`, in_flight, isDirect: true },
  ]).filter(({ name }) => options.wants(TITLE, name));
  if (links.length === 0) return;
  await withFixture(async ({ resources }) => {
    const server = await startSide(resources, 'server');
    const client = await startSide(resources, 'client', server.address);
    const wire = await countingProxy(server.address);
    resources.add('proxy', wire.close);
    const watched = await startSide(resources, 'client', wire.address);
    const both = await startSide(resources, 'both');
    for (const side of [client, watched, both]) await ask(side, { checks: WARM_CHECKS, in_flight: 64 });

    const turns = new Map<string, Figures[]>(links.map(({ name }) => [name, []]));
    await takeTurns(TITLE, { warm: 1, counted: options.rounds }, options, async (isCounted) => {
      for (const { name, in_flight, isDirect } of links) {
        const order = { checks: CHECKS, in_flight };
        const figures = isDirect
          ? await cost(order, both)
          : { ...(await onWire(order, watched, wire)), ...(await cost(order, client, server)) };
        if (isCounted) turns.get(name)?.push(figures);
      }
    });
    const rows = [...turns].map(([name, figures]) => ({ name, figures: figuresOf(figures) }));
    options.report({ title: TITLE, about: ABOUT, rows });
  });
}

async function startSide(resources: Resources, ...args: string[]): Promise<Side> {
  const young = ['min', 'max'].map((bound) => `--${bound}-semi-space-size=${YOUNG_MB}`);
  const execArgv = [...process.execArgv, ...young, '--expose-gc'];
  const child = fork(new URL('side.ts', import.meta.url), args, { execArgv });
  resources.add(args.join(' '), () => child.kill('SIGKILL'));
  const ended = failed(child, args.join(' '));
  const [address] = (await Promise.race([once(child, 'message'), ended])) as [string];
  return { child, address, ended };
}

async function failed(child: ChildProcess, side: string): Promise<never> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  throw new Error(`the side ${side} ended with ${code ?? signal}`);
}

async function onWire(order: Order, client: Side, wire: Wire): Promise<Figures> {
  wire.take();
  await ask(client, order);
  const { client: calls, server: answers } = wire.take();
  return {
    request_bytes: calls.bytes / order.checks,
    response_bytes: answers.bytes / order.checks,
    frames: (calls.frames + answers.frames) / order.checks,
  };
}

async function cost(order: Order, client: Side, server?: Side): Promise<Figures> {
  const before = [await usage(client, true), server && (await usage(server, true))] as const;
  const after = [await ask(client, order), server && (await usage(server))] as const;
  return {
    ...costOf('client', order, before[0], after[0]),
    ...(before[1] && after[1] && costOf('server', order, before[1], after[1])),
  };
}

function costOf(side: string, { checks }: Order, before: Usage, after: Usage): Figures {
  return {
    [`${side}_allocated_bytes`]: (after.allocated_bytes - before.allocated_bytes) / checks,
    [`${side}_us`]: (after.cpu_us - before.cpu_us) / checks,
  };
}

function usage(side: Side, collects = false): Promise<Usage> {
  return ask(side, { checks: 0, in_flight: 0, collects });
}

async function ask({ child, ended }: Side, order: Order): Promise<Usage> {
  child.send(order);
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Usage];
  return answer;
}
