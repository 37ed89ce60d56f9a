import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decoderEnded, decoderNotStarted } from '../errors.ts';
import { type Decoded, type DecoderMessage, UNREADABLE } from './decoded.ts';

export interface DecoderBounds {
  /** Memory limit. A decoder over it is killed, and its image is unreadable. */
  readonly memory_bytes: number;
  /** Time limit of an image, with the same consequence. */
  readonly time_ms: number;
}

const PROGRAM = fileURLToPath(new URL('./decoder-process.ts', import.meta.url));
/** A small JavaScript heap: the program only passes bytes on. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=64'];
/** Makes glibc return the memory of an image to the system. */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
const READY_TIMEOUT_MS = 30_000;

/**
 * A child process that decodes one image at a time, so that a crash, a hang or too much memory costs only the image.
 * It is not a sandbox: its environment has none of the settings, but it runs as the same user
 * (docs/security.md#pictures).
 */
export class Decoder {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #time_ms: number;
  #alive = true;

  private constructor(child: ChildProcess, folder: string, time_ms: number) {
    this.#child = child;
    this.#folder = folder;
    this.#time_ms = time_ms;
    child.once('exit', () => {
      this.#alive = false;
      this.#removeFolder();
    });
    child.on('error', () => undefined); // without a listener, an error would end this process
  }

  /** @throws UNAVAILABLE if the process does not become ready */
  static async start({ memory_bytes, time_ms }: DecoderBounds): Promise<Decoder> {
    // libvips spills large images to files, and a process that is killed leaves them behind.
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-decoder-')).catch((error: Error) => {
      throw decoderNotStarted(error.message);
    });
    const child = fork(PROGRAM, [String(memory_bytes), folder], {
      env: { ...MALLOC, TMPDIR: folder },
      execArgv: FLAGS,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const decoder = new Decoder(child, folder, time_ms);
    const first = await nextFrom(child, READY_TIMEOUT_MS);
    if (first.kind === 'ready') return decoder;
    decoder.kill();
    throw decoderNotStarted('reason' in first ? first.reason : first.kind);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** False once the process has ended or was killed. */
  get alive(): boolean {
    return this.#alive;
  }

  /** Decodes an image. Returns the reason as text if it is refused. @throws UNAVAILABLE if the process ends by itself */
  async decode(bytes: Buffer): Promise<Decoded | string> {
    const answer = nextFrom(this.#child, this.#time_ms);
    this.#child.send(bytes, () => undefined); // `nextFrom` reports a process that is gone
    const message = await answer;
    if (message.kind === 'decoded') return message.result;
    this.kill();
    // A timeout and a lack of memory are due to the image. Any other end may not be.
    if (message.kind === 'ended') throw decoderEnded(message.reason);
    return UNREADABLE;
  }

  kill(): void {
    this.#alive = false;
    this.#child.kill('SIGKILL');
    this.#removeFolder(); // this process may end before the 'exit' event
  }

  #removeFolder(): void {
    try {
      rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // A leftover folder must not end this process.
    }
  }
}

/** Why a decoder sends no message. */
interface NoMessage {
  readonly kind: 'timed_out' | 'ended';
  readonly reason: string;
}

/** The next message of a decoder, or why there is none. */
function nextFrom(child: ChildProcess, timeout_ms: number): Promise<DecoderMessage | NoMessage> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle({ kind: 'timed_out', reason: 'no answer in time' }), timeout_ms);
    const onMessage = (message: DecoderMessage) => settle(message);
    const onExit = (code: number | null, signal: string | null) =>
      settle({ kind: 'ended', reason: signal ?? `exit code ${code}` });
    const onError = (error: Error) => settle({ kind: 'ended', reason: error.message });
    function settle(result: DecoderMessage | NoMessage): void {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.off('error', onError);
      resolve(result);
    }
    // The process may have ended between two images.
    if (child.exitCode !== null || child.signalCode !== null) return onExit(child.exitCode, child.signalCode);
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.on('error', onError);
  });
}
