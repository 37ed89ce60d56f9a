import { setTimeout as sleep } from 'node:timers/promises';
import { type Frame, type GatewayEvent, Op, readEvent } from '@gatehouse/cli/gateway-client/frames';
import { type GatewayConnection, runConnection } from '@gatehouse/cli/gateway-client/gateway-connection';
import { listOf, textOf } from '@gatehouse/cli/gateway-client/members';
import type { Life, Sighting } from './sighting.ts';

/** A client of the Gateway that heartbeats, resumes and identifies anew by itself, and notes what it sees. */
export interface Watcher {
  readonly sighting: Sighting;
  isConnected(): boolean;
  stop(): Promise<void>;
}

const HELLO_TIMEOUT_MS = 5_000;
/** Before the first attempt to come back, anything up to it; doubled for each that follows. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;
const AUTHENTICATION_FAILED = 4004;
const INVALID_SEQUENCE = 4007;

/** @param channels those of which it is to be told */
export function watcher(url: string, token: string, channels: readonly string[]): Watcher {
  const closing = new AbortController();
  const { signal } = closing;
  const lives: Life[] = [];
  const sighting: Sighting = { channels, lives, ends: [], returns: [], failed_attempts: [], out_of_turn: [] };
  let session_id: string | undefined;
  let seq: number | null = null;
  let isConnected = false;
  let isAsked = false;
  let attempts = 0;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      isAsked = false;
      const { code } = await runConnection({
        url,
        hello_timeout_ms: HELLO_TIMEOUT_MS,
        lastSeq: () => seq,
        onFrame: take,
        signal,
      });
      if (signal.aborted) return;
      if (code === AUTHENTICATION_FAILED) throw new Error(`the token of a drill's account was refused`);
      ended(isAsked ? 'op 7' : String(code ?? 'left'));
      if (code === INVALID_SEQUENCE) forget();
      await pause();
    }
  }

  function ended(how: string): void {
    const at = performance.now();
    if (isConnected) sighting.ends.push({ at, how });
    else sighting.failed_attempts.push(at);
    isConnected = false;
    attempts++;
  }

  function take(frame: Frame, connection: GatewayConnection): void {
    const event = frame.op === Op.DISPATCH ? readEvent(frame) : undefined;
    if (event !== undefined) dispatch(event);
    else if (frame.op === Op.HELLO) begin(connection);
    else if (frame.op === Op.INVALID_SESSION) void beginAgain(frame.d === true, connection);
    else if (frame.op === Op.RECONNECT) {
      isAsked = true;
      connection.leave('the server asked to reconnect');
    }
  }

  function begin(connection: GatewayConnection): void {
    if (session_id === undefined) connection.send(Op.IDENTIFY, { token });
    else connection.send(Op.RESUME, { token, session_id, seq });
  }

  /** On the same connection. */
  async function beginAgain(isResumable: boolean, connection: GatewayConnection): Promise<void> {
    if (!isResumable) forget();
    attempts++;
    await pause();
    if (!signal.aborted) begin(connection);
  }

  function forget(): void {
    session_id = undefined;
    seq = null;
  }

  function dispatch({ t, s, d }: GatewayEvent): void {
    const at = performance.now();
    if (s !== (seq ?? 0) + 1) sighting.out_of_turn.push(at);
    seq = s;
    if (t === 'READY') {
      session_id = textOf(d, 'session_id');
      lives.push({ after: lastMessages(d), told: [] });
    }
    if (t === 'READY' || t === 'RESUMED') {
      isConnected = true;
      attempts = 0;
      sighting.returns.push({ at, how: t === 'READY' ? 'identified' : 'resumed' });
    }
    if (t === 'MESSAGE_CREATE')
      lives.at(-1)?.told.push({ id: textOf(d, 'id') ?? '', channel_id: textOf(d, 'channel_id') ?? '', at });
  }

  async function pause(): Promise<void> {
    const longest_ms = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS);
    await sleep(longest_ms * Math.random(), undefined, { signal }).catch(() => undefined);
  }

  const running = run();
  // What it throws is for stop().
  running.catch(() => undefined);
  return {
    sighting,
    isConnected: () => isConnected,
    stop: async () => {
      closing.abort();
      await running;
    },
  };
}

/** The newest message of each channel that has one, as READY says. */
function lastMessages(ready: unknown): ReadonlyMap<string, string> {
  const last = new Map<string, string>();
  for (const guild of listOf(ready, 'guilds'))
    for (const channel of listOf(guild, 'channels')) {
      const [id, message_id] = [textOf(channel, 'id'), textOf(channel, 'last_message_id')];
      if (id !== undefined && message_id !== undefined) last.set(id, message_id);
    }
  return last;
}
