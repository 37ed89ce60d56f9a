import { setTimeout as sleep } from 'node:timers/promises';
import { type Frame, type GatewayEvent, Op, readEvent } from '../../gateway-client/frames.ts';
import {
  type ConnectionEnd,
  type GatewayConnection,
  runConnection,
} from '../../gateway-client/gateway-connection.ts';
import { memberOf, textOf } from '../../json/members.ts';
import { noGateway, tokenRefused } from './gateway-failures.ts';
import { nameOfUser } from './known-names.ts';

export interface FollowerOptions {
  readonly url: string;
  readonly token: string;
  readonly onEvent: (event: GatewayEvent) => void;
  /** Called with a line of text for each change of the connection. */
  readonly note: (text: string) => void;
  /** Ends the session. */
  readonly signal: AbortSignal;
  readonly timing?: Timing;
}

export interface Timing {
  readonly hello_timeout_ms: number;
  /** Before the second attempt to connect or to identify; doubled for each further one. */
  readonly first_wait_ms: number;
  readonly longest_wait_ms: number;
}

const TIMING: Timing = { hello_timeout_ms: 10_000, first_wait_ms: 500, longest_wait_ms: 10_000 };
/** Maximum attempts at a Gateway that never was ready. */
const FIRST_ATTEMPTS = 3;
const AUTHENTICATION_FAILED = 4004;
const INVALID_SEQUENCE = 4007;
const INVALID_VERSION = 4012;

interface Session {
  readonly id: string;
  readonly resume_url: string;
}

/** Follows the events of a session. It resumes, or identifies again, when the connection ends. */
export class SessionFollower {
  readonly #options: FollowerOptions;
  readonly #timing: Timing;
  #session: Session | undefined;
  #seq: number | null = null;
  #everReady = false;
  /** Ended connections since READY or RESUMED. */
  #attempts = 0;
  /** Invalid sessions since READY or RESUMED. */
  #refusals = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#timing = options.timing ?? TIMING;
  }

  /**
   * Runs until the signal.
   *
   * @throws CommandFailure if the token is refused, or no Gateway of this version answers
   */
  async run(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const url = this.#nextUrl();
      const end = await runConnection({
        url,
        hello_timeout_ms: this.#timing.hello_timeout_ms,
        lastSeq: () => this.#seq,
        onFrame: (frame, connection) => this.#receive(frame, connection),
        signal,
      });
      if (!signal.aborted) await this.#afterEnd(url, end);
    }
  }

  /** Alternates between the resume URL of the session and the first URL: the replica of the former may be gone. */
  #nextUrl(): string {
    return this.#session !== undefined && this.#attempts % 2 === 1
      ? this.#session.resume_url
      : this.#options.url;
  }

  #receive(frame: Frame, connection: GatewayConnection): void {
    if (frame.op === Op.HELLO) this.#begin(connection);
    else if (frame.op === Op.DISPATCH) this.#dispatch(frame, connection);
    else if (frame.op === Op.RECONNECT) connection.leave('the server asked to reconnect');
    else if (frame.op === Op.INVALID_SESSION) void this.#beginAgain(frame.d === true, connection);
  }

  #begin(connection: GatewayConnection): void {
    const { token } = this.#options;
    if (this.#session === undefined)
      connection.send(Op.IDENTIFY, { token, properties: { browser: 'gatehouse tail' } });
    else connection.send(Op.RESUME, { token, session_id: this.#session.id, seq: this.#seq });
  }

  /** On the same connection. */
  async #beginAgain(resumable: boolean, connection: GatewayConnection): Promise<void> {
    if (!resumable) this.#dropSession();
    this.#refusals += 1;
    await this.#pause(this.#refusals);
    if (!this.#options.signal.aborted) this.#begin(connection);
  }

  #dispatch(frame: Frame, connection: GatewayConnection): void {
    const event = readEvent(frame);
    if (event === undefined) {
      connection.leave('it sent an event without a name or a number');
      return;
    }
    if (event.t === 'READY') this.#ready(event);
    if (event.t === 'RESUMED') this.#options.note('Resumed: nothing was missed.');
    if (event.t === 'READY' || event.t === 'RESUMED') {
      this.#attempts = 0;
      this.#refusals = 0;
    }
    this.#seq = event.s;
    this.#options.onEvent(event);
  }

  #ready({ d }: GatewayEvent): void {
    const { url, note } = this.#options;
    this.#everReady = true;
    const id = textOf(d, 'session_id');
    // A session without an ID cannot be resumed.
    this.#session =
      id === undefined ? undefined : { id, resume_url: resumeUrl(url, textOf(d, 'resume_gateway_url')) };
    note(`Listening at ${withoutQuery(url)} as ${nameOfUser(memberOf(d, 'user')) ?? 'somebody'}.`);
  }

  async #afterEnd(url: string, { code, reason }: ConnectionEnd): Promise<void> {
    const place = withoutQuery(url);
    if (code === AUTHENTICATION_FAILED) throw tokenRefused(this.#everReady);
    if (code === INVALID_VERSION) throw noGateway(`${place} speaks another version of the Gateway.`);
    this.#attempts += 1;
    if (!this.#everReady && this.#attempts >= FIRST_ATTEMPTS)
      throw noGateway(`No Gateway answers at ${place}: ${reason}.`);
    const next = this.#session === undefined ? 'Connecting again' : 'Resuming';
    this.#options.note(`The connection to ${place} ended: ${reason}. ${next}.`);
    // The server would refuse the same Resume again.
    if (code === INVALID_SEQUENCE) this.#dropSession();
    await this.#pause(this.#attempts);
  }

  #dropSession(): void {
    if (this.#session !== undefined)
      this.#options.note('The session cannot be resumed: a new one begins, and events until then are lost.');
    this.#session = undefined;
    this.#seq = null;
  }

  /** Waits for half to all of the delay, so that clients of a lost server do not reconnect at the same moment. */
  async #pause(times: number): Promise<void> {
    const { first_wait_ms, longest_wait_ms } = this.#timing;
    const wait_ms = Math.min(first_wait_ms * 2 ** (times - 1), longest_wait_ms);
    const { signal } = this.#options;
    await sleep(wait_ms * (1 - Math.random() / 2), undefined, { signal }).catch(() => undefined);
  }
}

/** The URL of READY, unless the token would travel there unencrypted and did not before. */
function resumeUrl(url: string, named: string | undefined): string {
  if (named === undefined || !URL.canParse(named)) return url;
  const { protocol } = new URL(named);
  const safe = protocol === 'wss:' || (protocol === 'ws:' && new URL(url).protocol === 'ws:');
  return safe ? named : url;
}

/** A URL without its query, which may have secrets. */
function withoutQuery(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
