import { readFileSync } from 'node:fs';
import { DEFAULT_SETTINGS, Op } from '@gatehouse/realtime/protocol';

interface Frame {
  readonly op: number;
  readonly d: unknown;
  readonly s?: number | null;
  readonly t?: string | null;
}

interface Example {
  readonly payload: Frame;
}

const TOKEN = '1483056239312896003.jS6lS9wAmP2xQ8rT5vY1zB4nC7eUkD0gF3hJiO2pRtE';

const OF_OPS: Readonly<Record<string, Frame>> = {
  Heartbeat: { op: Op.HEARTBEAT, d: 12 },
  Identify: { op: Op.IDENTIFY, d: { token: TOKEN } },
  Resume: { op: Op.RESUME, d: { token: TOKEN, session_id: '0b7c1f0e5a4d4e0f9d3c2b1a09f8e7d6', seq: 12 } },
  Hello: fromServer(Op.HELLO, { heartbeat_interval: DEFAULT_SETTINGS.heartbeat_interval_ms }),
  HeartbeatRequest: fromServer(Op.HEARTBEAT, null),
  HeartbeatAck: fromServer(Op.HEARTBEAT_ACK, null),
  Reconnect: fromServer(Op.RECONNECT, null),
  InvalidSession: fromServer(Op.INVALID_SESSION, false),
  RESUMED: { op: Op.DISPATCH, d: null, s: 15, t: 'RESUMED' },
};

/** A message's examples. Those of events are the frames in docs/gateway.md, which realtime's tests compare with its own. */
export function examplesOf(name: string): readonly Example[] {
  const frame = OF_OPS[name] ?? documentedFrames().find(({ t }) => t === name);
  return frame === undefined ? [] : [{ payload: frame }];
}

function fromServer(op: number, d: unknown): Frame {
  return { op, d, s: null, t: null };
}

let frames: readonly Frame[] | undefined;

function documentedFrames(): readonly Frame[] {
  frames ??= [...page().matchAll(/^```json\n(.*?)^```$/gms)]
    .map(([, block = '']): Frame => JSON.parse(block))
    .filter(({ op }) => op === Op.DISPATCH);
  return frames;
}

function page(): string {
  return readFileSync(new URL('../../docs/gateway.md', import.meta.url), 'utf8');
}
