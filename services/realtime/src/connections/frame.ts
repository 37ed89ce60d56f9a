import { isUtf8 } from 'node:buffer';
import type { Identify, Resume } from './connection.ts';

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
}

/** docs/gateway.md#frame-limits */
const MAX_FRAME_BYTES = 4_096;
export const MAX_IDENTIFY_BYTES = 15 * 1024;

/** A client's frame; undefined if it is none. How long it may be is known only once its op is. */
export function readFrame(data: Buffer): Frame | undefined {
  const members = readObject(data);
  if (members === undefined) return undefined;
  const { op, d } = members;
  if (typeof op !== 'number' || !Number.isInteger(op)) return undefined;
  if (data.length > (op === Op.IDENTIFY ? MAX_IDENTIFY_BYTES : MAX_FRAME_BYTES)) return undefined;
  return { op, d };
}

/** A frame of ours that is no Dispatch. */
export function frameText(op: number, d: unknown): string {
  return JSON.stringify({ op, d, s: null, t: null });
}

/** `d` of a Heartbeat; undefined if it is malformed. Left out it is null, as some clients write it. */
export function readHeartbeat(d: unknown): number | null | undefined {
  if (d === null || d === undefined) return null;
  return isNumber(d) ? d : undefined;
}

/** `d` of an Identify; undefined if it is malformed. A shard that is none is ignored, as all other members are. */
export function readIdentify(d: unknown): Identify | undefined {
  if (!isObject(d) || typeof d.token !== 'string') return undefined;
  return { token: d.token, shard: readShard(d.shard) };
}

function readShard(value: unknown): Identify['shard'] {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [id, count]: unknown[] = value;
  return isNumber(id) && isNumber(count) && id >= 0 && id < count ? [id, count] : undefined;
}

/** `d` of a Resume; undefined if it is malformed. A client that got no event yet has no `seq`: null. */
export function readResume(d: unknown): Resume | undefined {
  if (!isObject(d)) return undefined;
  const { token, session_id } = d;
  const seq = d.seq === null ? 0 : d.seq;
  if (typeof token !== 'string' || typeof session_id !== 'string' || !isNumber(seq)) return undefined;
  return { token, session_id, seq };
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function readObject(data: Buffer): Record<string, unknown> | undefined {
  if (!isUtf8(data)) return undefined;
  try {
    const value: unknown = JSON.parse(data.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
