import { setTimeout as sleep } from 'node:timers/promises';
import { type Ended, runConnection, type Speaking } from './connection.ts';
import { NoGateway, TokenRefused } from './errors.ts';
import { type Frame, type GatewayEvent, Op, readEvent } from './frames.ts';
import { memberOf, textOf } from './members.ts';
import { nameOfUser } from './names.ts';

export interface FollowOptions {
  readonly url: string;
  readonly token: string;
  readonly onEvent: (event: GatewayEvent) => void;
  /** What happens to the connection, in a line for people. */
  readonly note: (text: string) => void;
  /** Ends the session. */
  readonly signal: AbortSignal;
  readonly patience?: Patience;
}

export interface Patience {
  readonly hello_within_ms: number;
  /** Before the second attempt to connect or to identify; doubled for each that follows. */
  readonly first_wait_ms: number;
  readonly longest_wait_ms: number;
}

const PATIENCE: Patience = { hello_within_ms: 10_000, first_wait_ms: 500, longest_wait_ms: 10_000 };
/** How often a Gateway is tried that never was ready. */
const FIRST_ATTEMPTS = 3;
const INVALID_SEQUENCE = 4007;
const AUTHENTICATION_FAILED = 4004;
const INVALID_VERSION = 4012;

interface Session {
  readonly id: string;
  readonly resume_url: string;
}

/**
 * Follows the events of a session until the signal. It resumes or identifies anew whenever its connection ends.
 *
 * @throws TokenRefused
 * @throws NoGateway there is none, or it speaks another version
 */
export async function follow(options: FollowOptions): Promise<void> {
  const { token, onEvent, note, signal, patience = PATIENCE } = options;
  let session: Session | undefined;
  let seq: number | null = null;
  let everReady = false;
  /** Connections that ended, and sessions that were called invalid, since one was ready or resumed. */
  let attempts = 0;
  let refusals = 0;

  while (!signal.aborted) {
    const url = nextUrl();
    const ended = await runConnection({
      url,
      hello_within_ms: patience.hello_within_ms,
      lastSeq: () => seq,
      onFrame: take,
      signal,
    });
    if (signal.aborted) return;
    await afterEnd(url, ended);
  }

  /** Of a session that is there, its own address first, then the first one: that address may be gone. */
  function nextUrl(): string {
    return session !== undefined && attempts % 2 === 1 ? session.resume_url : options.url;
  }

  function take(frame: Frame, speaking: Speaking): void {
    if (frame.op === Op.HELLO) begin(speaking);
    else if (frame.op === Op.DISPATCH) dispatch(frame, speaking);
    else if (frame.op === Op.RECONNECT) speaking.leave('the server asked to reconnect');
    else if (frame.op === Op.INVALID_SESSION) void beginAgain(frame.d === true, speaking);
  }

  function begin({ send }: Speaking): void {
    if (session === undefined) send(Op.IDENTIFY, { token, properties: { browser: 'gatehouse tail' } });
    else send(Op.RESUME, { token, session_id: session.id, seq });
  }

  /** On the same connection. */
  async function beginAgain(resumable: boolean, speaking: Speaking): Promise<void> {
    if (!resumable) dropSession('The session cannot be resumed');
    refusals += 1;
    await pause(refusals);
    if (!signal.aborted) begin(speaking);
  }

  function dispatch(frame: Frame, { leave }: Speaking): void {
    const event = readEvent(frame);
    if (event === undefined) {
      leave('it sent an event without a name or a number');
      return;
    }
    if (event.t === 'READY') ready(event);
    if (event.t === 'RESUMED') note('Resumed: nothing was missed.');
    if (event.t === 'READY' || event.t === 'RESUMED') {
      attempts = 0;
      refusals = 0;
    }
    seq = event.s;
    onEvent(event);
  }

  function ready({ d }: GatewayEvent): void {
    everReady = true;
    const id = textOf(d, 'session_id');
    // Without an ID it cannot be resumed; it can be watched.
    session =
      id === undefined
        ? undefined
        : { id, resume_url: resumeUrl(options.url, textOf(d, 'resume_gateway_url')) };
    note(`Listening at ${placeOf(options.url)} as ${nameOfUser(memberOf(d, 'user')) ?? 'somebody'}.`);
  }

  async function afterEnd(url: string, { code, why }: Ended): Promise<void> {
    if (code === AUTHENTICATION_FAILED) throw new TokenRefused(everReady);
    if (code === INVALID_VERSION)
      throw new NoGateway(`${placeOf(url)} speaks another version of the Gateway.`);
    attempts += 1;
    if (!everReady && attempts >= FIRST_ATTEMPTS)
      throw new NoGateway(`No Gateway answers at ${placeOf(url)}: ${why}.`);
    note(
      `The connection to ${placeOf(url)} ended: ${why}. ${session === undefined ? 'Connecting again' : 'Resuming'}.`,
    );
    // It would refuse the same Resume again.
    if (code === INVALID_SEQUENCE) dropSession('The session cannot be resumed');
    await pause(attempts);
  }

  function dropSession(why: string): void {
    if (session !== undefined) note(`${why}: a new one begins, and what happens until then is not shown.`);
    session = undefined;
    seq = null;
  }

  /** Somewhere between half and all of the wait: clients that were cut off together come back apart. */
  async function pause(times: number): Promise<void> {
    const { first_wait_ms, longest_wait_ms } = patience;
    const wait_ms = Math.min(first_wait_ms * 2 ** (times - 1), longest_wait_ms);
    await sleep(wait_ms * (1 - Math.random() / 2), undefined, { signal }).catch(() => undefined);
  }
}

/** What READY names, unless the token would go there in the clear and did not before. */
function resumeUrl(url: string, named: string | undefined): string {
  if (named === undefined || !URL.canParse(named)) return url;
  const { protocol } = new URL(named);
  const safe = protocol === 'wss:' || (protocol === 'ws:' && new URL(url).protocol === 'ws:');
  return safe ? named : url;
}

/** An address without what may be secret in it. */
function placeOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
