import { isUtf8 } from 'node:buffer';
import { isObject } from '../json-types.ts';
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
export const MAX_FRAME_BYTES = 4_096;
export const MAX_IDENTIFY_BYTES = 15 * 1024;

/** Reads a client's frame; undefined if it is malformed or too long for its op. */
export function readFrame(data: Buffer): Frame | undefined {
  const members = readObject(data);
  if (members === undefined) return undefined;
  const { op, d } = members;
  if (typeof op !== 'number' || !Number.isInteger(op)) return undefined;
  if (data.length > (op === Op.IDENTIFY ? MAX_IDENTIFY_BYTES : MAX_FRAME_BYTES)) return undefined;
  return { op, d };
}

/** Text of a server frame other than a Dispatch. */
export function frameText(op: number, d: unknown): string {
  return JSON.stringify({ op, d, s: null, t: null });
}

/** Reads a Heartbeat's `d`; undefined if it is malformed. An absent `d` counts as null, since some clients omit it. */
export function readHeartbeat(d: unknown): number | null | undefined {
  if (d === null || d === undefined) return null;
  return isNumber(d) ? d : undefined;
}

/** Reads an Identify's `d`; undefined if it is malformed. An invalid shard is ignored, like unknown members. */
export function readIdentify(d: unknown): Identify | undefined {
  if (!isObject(d) || typeof d.token !== 'string') return undefined;
  return { token: d.token, shard: readShard(d.shard) };
}

function readShard(value: unknown): Identify['shard'] {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [id, count]: unknown[] = value;
  return isNumber(id) && isNumber(count) && id >= 0 && id < count ? [id, count] : undefined;
}

/** Reads a Resume's `d`; undefined if it is malformed. `seq` is null before a client's first event. */
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

function readObject(data: Buffer): Readonly<Record<string, unknown>> | undefined {
  if (!isUtf8(data)) return undefined;
  try {
    const value: unknown = JSON.parse(data.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
