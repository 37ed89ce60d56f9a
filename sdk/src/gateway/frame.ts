/** A frame of the server. */
export interface Frame {
  readonly op: number;
  readonly d: unknown;
  readonly s: number | null;
  readonly t: string | null;
}

/** A text message as a frame; undefined if it is none. */
export function readFrame(data: unknown): Frame | undefined {
  if (typeof data !== 'string') return undefined;
  let frame: Partial<Frame> | null;
  try {
    frame = JSON.parse(data);
  } catch {
    return undefined;
  }
  if (typeof frame !== 'object' || frame === null || typeof frame.op !== 'number') return undefined;
  const { op, d, s = null, t = null } = frame;
  return { op, d, s, t };
}

/** A member of a frame's `d`. */
export function memberOf(d: unknown, name: string): unknown {
  return typeof d === 'object' && d !== null ? (d as Record<string, unknown>)[name] : undefined;
}
