import { isObject } from '../json/members.ts';

/** docs/gateway.md#frames */
export const Op = {
  DISPATCH: 0,
  HEARTBEAT: 1,
  IDENTIFY: 2,
  RESUME: 6,
  RECONNECT: 7,
  INVALID_SESSION: 9,
  HELLO: 10,
  HEARTBEAT_ACK: 11,
} as const;

export interface Frame {
  readonly op: number;
  readonly d: unknown;
  readonly s: unknown;
  readonly t: unknown;
}

/** A Dispatch. */
export interface GatewayEvent {
  readonly s: number;
  readonly t: string;
  readonly d: unknown;
}

/** Undefined if it is no frame. */
export function readFrame(data: unknown): Frame | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    const frame: unknown = JSON.parse(data);
    if (!isObject(frame) || typeof frame.op !== 'number') return undefined;
    const { op, d, s, t } = frame;
    return { op, d, s, t };
  } catch {
    return undefined;
  }
}

/** The event of a Dispatch. Undefined if it has no valid one. */
export function readEvent({ s, t, d }: Frame): GatewayEvent | undefined {
  return typeof s === 'number' && typeof t === 'string' ? { s, t, d } : undefined;
}

/** The frame that sends `d`. */
export function frameText(op: number, d: unknown): string {
  return JSON.stringify({ op, d });
}
