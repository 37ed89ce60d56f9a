/** Runs many WebSocket clients in this process, for sockets.ts. */
import { type ClientSocket, openClientSocket } from './client-socket.ts';
import { PROTOCOLS } from './protocols.ts';
import type { Delivery, OpenOrder, WorkerRequest } from './sockets.ts';

/** Connections opened at once. */
const OPENING = 64;
/** Well below the minute that the Gateway waits for a heartbeat. */
const HEARTBEAT_EVERY_MS = 15_000;
const ALL_WITHIN_MS = 60_000;

/** The events that all sockets must receive. */
interface Expected {
  /** The number of sockets that received the nth event. */
  readonly had: number[];
  /** The arrival at the last of them. */
  readonly last_ms: number[];
  /** All arrivals. */
  readonly at_ms: number[];
}

const all: ClientSocket[] = [];
const counts: number[] = [];
let expected: Expected = { had: [], last_ms: [], at_ms: [] };
let deliveries: Delivery[] | undefined;
let sample = '';
let heartbeatAt_ms = performance.now();
setInterval(heartbeats, 500);
let checkWaiting: () => void = () => undefined;

process.on('disconnect', () => process.exit()); // the bench is gone
process.on('message', ({ id, ask }: { id: number; ask: WorkerRequest }) => {
  void answerTo(ask).then((answer) => process.send?.({ id, answer }));
});

function answerTo(ask: WorkerRequest): Promise<unknown> {
  switch (ask.kind) {
    case 'open':
      return open(ask);
    case 'expect':
      return expect(ask.events);
    case 'arrived':
      return allArrived().then(() => expected.last_ms);
    case 'arrivals':
      return allArrived().then(() => expected.at_ms.toSorted((a, b) => a - b));
    case 'record':
      deliveries = [];
      return Promise.resolve();
    case 'recorded':
      return until(() => (deliveries?.length ?? 0) >= ask.deliveries).then(() => {
        const recorded = deliveries;
        deliveries = undefined;
        return recorded;
      });
    case 'sample':
      return Promise.resolve(sample);
  }
}

async function open({ address, protocol, tokens }: OpenOrder): Promise<void> {
  const left = tokens.values();
  const openSome = async (): Promise<void> => {
    for (const token of left) {
      const index = counts.push(0) - 1;
      all.push(
        await openClientSocket({
          address,
          protocol: PROTOCOLS[protocol],
          token,
          onEvent: (bytes, start, end) => onEvent(index, bytes, start, end),
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: OPENING }, openSome));
}

function onEvent(index: number, bytes: Buffer, start: number, end: number): void {
  const n = counts[index] ?? 0;
  counts[index] = n + 1;
  if (deliveries !== undefined) record(bytes.toString('utf8', start, end));
  if (n >= expected.had.length) return;
  if (n === 0 && index === 0) sample = bytes.toString('utf8', start, end);
  const had = (expected.had[n] ?? 0) + 1;
  const at_ms = performance.timeOrigin + performance.now();
  expected.had[n] = had;
  expected.at_ms.push(at_ms);
  if (had < all.length) return;
  expected.last_ms[n] = at_ms;
  checkWaiting();
}

function record(text: string): void {
  const { d } = JSON.parse(text) as { d: { id: string } };
  deliveries?.push([d.id, performance.timeOrigin + performance.now()]);
  checkWaiting();
}

function allArrived(): Promise<void> {
  return until(() => expected.last_ms.every((at_ms) => at_ms > 0));
}

/** Starts counting `events` events. */
async function expect(events: number): Promise<void> {
  counts.fill(0);
  expected = { had: Array(events).fill(0), last_ms: Array(events).fill(0), at_ms: [] };
}

/** Heartbeats are sent in pauses, outside the measurements. */
function heartbeats(): void {
  const isPause = expected.last_ms.every((at_ms) => at_ms > 0) && deliveries === undefined;
  if (!isPause || performance.now() - heartbeatAt_ms < HEARTBEAT_EVERY_MS) return;
  heartbeatAt_ms = performance.now();
  for (const socket of all) socket.heartbeat();
}

/** Checks the condition after every event. */
function until(condition: () => boolean): Promise<void> {
  const late = setTimeout(() => {
    throw new Error(`not all events arrived: ${expected.had} of ${all.length}, ${deliveries?.length}`);
  }, ALL_WITHIN_MS);
  return new Promise((resolve) => {
    checkWaiting = () => {
      if (!condition()) return;
      checkWaiting = () => undefined;
      clearTimeout(late);
      resolve();
    };
    checkWaiting();
  });
}
