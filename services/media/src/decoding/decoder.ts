import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decoderEnded, decoderNotStarted } from '../errors.ts';
import { type Decoded, type FromDecoder, UNREADABLE } from './decoded.ts';

/** A process that decodes one picture at a time. */
export interface Decoder {
  readonly pid: number | undefined;
  /** False: it has ended, or will. */
  readonly alive: boolean;
  /** @throws UNAVAILABLE when the process ends by itself */
  decode(bytes: Buffer): Promise<Decoded | string>;
  /** Ends it, whatever it does. */
  kill(): void;
}

export interface DecoderBounds {
  /** What it may hold; past that it is killed, and its picture is unreadable. */
  readonly memory_bytes: number;
  /** What a picture may take; past that, the same. */
  readonly time_ms: number;
}

const PROGRAM = fileURLToPath(new URL('./decoder-process.ts', import.meta.url));
/** Of its JavaScript, which only hands bytes on. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=64'];
/** Of its environment: glibc gives what a picture took back to the system. */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
const READY_WITHIN_MS = 30_000;

/**
 * Starts one. When it crashes, hangs or takes too much, that costs its picture and nothing here. It is no sandbox: it
 * is given no setting of this process's, but runs as the same user (docs/security.md#pictures).
 *
 * @throws UNAVAILABLE when it does not come up
 */
export async function startDecoder({ memory_bytes, time_ms }: DecoderBounds): Promise<Decoder> {
  // libvips writes files where a picture is too large for it; one that is killed leaves them.
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-decoder-')).catch((error: Error) => {
    throw decoderNotStarted(error.message);
  });
  const child = fork(PROGRAM, [String(memory_bytes), folder], {
    env: { ...MALLOC, TMPDIR: folder },
    execArgv: FLAGS,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let alive = true;
  const removeFolder = () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Nothing here may end this process, not even that no descriptor is left.
    }
  };
  const kill = () => {
    alive = false;
    child.kill('SIGKILL');
    removeFolder(); // this process may end before it hears of the other's end
  };
  child.once('exit', () => {
    alive = false;
    removeFolder();
  });
  child.on('error', () => undefined); // one that nobody hears would end this process

  const first = await nextFrom(child, READY_WITHIN_MS);
  if (typeof first === 'string' || first.kind !== 'ready') {
    kill();
    throw decoderNotStarted(typeof first === 'string' ? first : first.kind);
  }
  return {
    pid: child.pid,
    get alive() {
      return alive;
    },
    decode: async (bytes) => {
      const answer = nextFrom(child, time_ms);
      child.send(bytes, () => undefined); // that it has gone is what `nextFrom` tells
      const told = await answer;
      if (typeof told !== 'string' && told.kind === 'decoded') return told.result;
      kill();
      // The picture's doing; whatever else ends a process need not be.
      if (told === TOO_LATE || typeof told !== 'string') return UNREADABLE;
      throw decoderEnded(told);
    },
    kill,
  };
}

const TOO_LATE = 'no answer in time';

/** What it tells next, or why it tells nothing. */
function nextFrom(child: ChildProcess, within_ms: number): Promise<FromDecoder | string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(TOO_LATE), within_ms);
    const onMessage = (message: FromDecoder) => settle(message);
    const onExit = (code: number | null, signal: string | null) => settle(signal ?? `exit code ${code}`);
    const onError = (error: Error) => settle(error.message);
    function settle(told: FromDecoder | string): void {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.off('error', onError);
      resolve(told);
    }
    // It may have ended between two pictures.
    if (child.exitCode !== null || child.signalCode !== null) return onExit(child.exitCode, child.signalCode);
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.on('error', onError);
  });
}
