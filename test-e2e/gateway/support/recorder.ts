import { OP } from './codes.ts';
import { documentFaults } from './documented-frames.ts';
import type { Closed, Dispatch, Frame } from './objects.ts';

const WITHIN_MS = 30_000;

/** Records all frames of a connection, and waits for conditions on them. */
export interface Recorder {
  readonly frames: readonly Frame[];
  readonly dispatches: readonly Dispatch[];
  /** Errors in any frame: malformed, not as in gateway/asyncapi.json, or an `s` out of sequence. */
  readonly faults: readonly string[];
  readonly closed: Closed | undefined;
  /** Records a received message. */
  take(data: Buffer, is_binary: boolean): void;
  /** Sets the last `s`, which the next Dispatch must follow. */
  follow(s: number): void;
  end(closed: Closed): void;
  /**
   * Calls `find` at each frame and at the end, until it returns a value.
   * @throws Error if the connection ends before, after a fault, or on timeout
   */
  until<T>(what: string, find: () => T | undefined, within_ms?: number): Promise<T>;
}

export function recorder(): Recorder {
  const frames: Frame[] = [];
  const dispatches: Dispatch[] = [];
  const faults: string[] = [];
  const waiting = new Set<() => void>();
  let closed: Closed | undefined;
  let last = 0;

  function take(data: Buffer, is_binary: boolean): void {
    const frame = parse(data);
    if (is_binary || frame === undefined) faults.push(`not JSON: ${data.subarray(0, 100)}`);
    else keep(frame);
    wake();
  }

  function keep(frame: Frame): void {
    frames.push(frame);
    faults.push(...faultsOf(frame));
    const { op, d, s, t } = frame;
    if (op !== OP.DISPATCH || s === null || t === null) return;
    if (s !== last + 1) faults.push(`${t} has s ${s} after ${last}`);
    last = s;
    dispatches.push({ t, s, d });
  }

  function wake(): void {
    for (const ask of [...waiting]) ask();
  }

  function until<T>(what: string, find: () => T | undefined, within_ms = WITHIN_MS): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail(`not within ${within_ms} ms`), within_ms);
      const settle = (end: () => void) => {
        clearTimeout(timer);
        waiting.delete(ask);
        end();
      };
      const fail = (why: string) =>
        settle(() => reject(new Error(`${what}: ${why}; last of ${frames.length}: ${tail(frames)}`)));
      const ask = () => {
        if (faults.length > 0) return fail(faults.join(', '));
        const found = find();
        if (found !== undefined) settle(() => resolve(found));
        else if (closed !== undefined) fail(`closed with ${closed.code} ${closed.reason}`);
      };
      waiting.add(ask);
      ask();
    });
  }

  return {
    frames,
    dispatches,
    faults,
    get closed() {
      return closed;
    },
    take,
    follow: (s) => {
      last = s;
    },
    end: (how) => {
      closed = how;
      wake();
    },
    until,
  };
}

function parse(data: Buffer): Frame | undefined {
  try {
    return JSON.parse(data.toString('utf8'));
  } catch {
    return undefined;
  }
}

function faultsOf(frame: Frame): string[] {
  const names = Object.keys(frame).sort().join();
  return names === 'd,op,s,t' ? documentFaults(frame) : [`members ${names}`];
}

const SHOWN = 5;

function tail(frames: readonly Frame[]): string {
  return frames
    .slice(-SHOWN)
    .map((frame) => JSON.stringify(frame).slice(0, 300))
    .join('\n');
}
