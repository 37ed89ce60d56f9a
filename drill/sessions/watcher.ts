import { setTimeout as sleep } from 'node:timers/promises';
import { type Frame, type GatewayEvent, Op, readEvent } from '@gatehouse/cli/gateway-client/frames';
import { type GatewayConnection, runConnection } from '@gatehouse/cli/gateway-client/gateway-connection';
import { listOf, textOf } from '@gatehouse/cli/json/members';
import type { ClientLog, SessionLog } from './client-log.ts';

const HELLO_TIMEOUT_MS = 5_000;
/** The upper bound of the pause before the first attempt to reconnect. It doubles with each attempt. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;
const AUTHENTICATION_FAILED = 4004;
const INVALID_SEQUENCE = 4007;

interface ResumableSession {
  readonly id: string | undefined;
  seq: number;
}

/** A client of the Gateway. It heartbeats, resumes and identifies again by itself, and logs what it sees. */
export class Watcher {
  readonly log: ClientLog;
  readonly #url: string;
  readonly #token: string;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  readonly #sessions: SessionLog[] = [];
  #session: ResumableSession | undefined;
  #isConnected = false;
  #isAskedToReconnect = false;
  /** Since the last READY or RESUMED. */
  #attempts = 0;

  /** @param channels the channels whose messages it receives */
  constructor(url: string, token: string, channels: readonly string[]) {
    this.#url = url;
    this.#token = token;
    this.log = {
      channels,
      sessions: this.#sessions,
      disconnects: [],
      returns: [],
      failed_attempts: [],
      out_of_order: [],
    };
    this.#running = this.#run();
    // stop() reports its error.
    this.#running.catch(() => undefined);
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  async stop(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      this.#isAskedToReconnect = false;
      const { code } = await runConnection({
        url: this.#url,
        hello_timeout_ms: HELLO_TIMEOUT_MS,
        lastSeq: () => this.#session?.seq ?? null,
        onFrame: (frame, connection) => this.#onFrame(frame, connection),
        signal,
      });
      if (signal.aborted) return;
      if (code === AUTHENTICATION_FAILED) throw new Error('the token of an account of the drill was refused');
      this.#onDisconnect(this.#isAskedToReconnect ? 'op 7' : String(code ?? 'left'));
      if (code === INVALID_SEQUENCE) this.#session = undefined;
      await this.#pause();
    }
  }

  #onFrame(frame: Frame, connection: GatewayConnection): void {
    const event = frame.op === Op.DISPATCH ? readEvent(frame) : undefined;
    if (event !== undefined) this.#onEvent(event);
    else if (frame.op === Op.HELLO) this.#begin(connection);
    else if (frame.op === Op.INVALID_SESSION) void this.#onInvalidSession(frame.d === true, connection);
    else if (frame.op === Op.RECONNECT) {
      this.#isAskedToReconnect = true;
      connection.leave('the server asked to reconnect');
    }
  }

  #begin(connection: GatewayConnection): void {
    const token = this.#token;
    if (this.#session === undefined) connection.send(Op.IDENTIFY, { token });
    else connection.send(Op.RESUME, { token, session_id: this.#session.id, seq: this.#session.seq });
  }

  /** Tries again on the same connection. */
  async #onInvalidSession(isResumable: boolean, connection: GatewayConnection): Promise<void> {
    if (!isResumable) this.#session = undefined;
    this.#attempts++;
    await this.#pause();
    if (!this.#closing.signal.aborted) this.#begin(connection);
  }

  #onEvent({ t, s, d }: GatewayEvent): void {
    const at = performance.now();
    if (s !== (this.#session?.seq ?? 0) + 1) this.log.out_of_order.push(at);
    if (t === 'READY') {
      this.#session = { id: textOf(d, 'session_id'), seq: s };
      this.#sessions.push({ after: lastMessages(d), received: [] });
    } else if (this.#session !== undefined) this.#session.seq = s;
    if (t === 'READY' || t === 'RESUMED') {
      this.#isConnected = true;
      this.#attempts = 0;
      this.log.returns.push({ at, how: t === 'READY' ? 'identified' : 'resumed' });
    }
    if (t === 'MESSAGE_CREATE') {
      const message = { id: textOf(d, 'id') ?? '', channel_id: textOf(d, 'channel_id') ?? '', at };
      this.#sessions.at(-1)?.received.push(message);
    }
  }

  #onDisconnect(how: string): void {
    const at = performance.now();
    if (this.#isConnected) this.log.disconnects.push({ at, how });
    else this.log.failed_attempts.push(at);
    this.#isConnected = false;
    this.#attempts++;
  }

  async #pause(): Promise<void> {
    const longest_ms = Math.min(FIRST_PAUSE_MS * 2 ** (this.#attempts - 1), LONGEST_PAUSE_MS);
    const { signal } = this.#closing;
    await sleep(longest_ms * Math.random(), undefined, { signal }).catch(() => undefined);
  }
}

/** The newest message of each channel that has one, from READY. */
function lastMessages(ready: unknown): ReadonlyMap<string, string> {
  const last = new Map<string, string>();
  for (const guild of listOf(ready, 'guilds'))
    for (const channel of listOf(guild, 'channels')) {
      const [id, message_id] = [textOf(channel, 'id'), textOf(channel, 'last_message_id')];
      if (id !== undefined && message_id !== undefined) last.set(id, message_id);
    }
  return last;
}
