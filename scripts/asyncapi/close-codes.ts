import { CloseCode } from '@gatehouse/realtime/protocol';
import { rowsOf } from './rows-of.ts';

export interface CloseCodeRow {
  readonly meaning: string;
  readonly when: string;
  /** Whether the session of the connection, if it had one, can be resumed. */
  readonly may_resume: boolean;
  /** The next action of a client. It stops where the same requests would fail again. */
  readonly action: 'resume' | 'identify' | 'stop';
}

const CLOSE_CODES: Readonly<Record<keyof typeof CloseCode, CloseCodeRow>> = {
  GOING_AWAY: {
    meaning: 'going away',
    when: 'the server stops, and the client did not reconnect after op 7',
    may_resume: true,
    action: 'resume',
  },
  UNKNOWN_ERROR: {
    meaning: 'unknown error',
    when: 'a failure of the server; a client that does not read; a Resume on another connection',
    may_resume: true,
    action: 'resume',
  },
  UNKNOWN_OPCODE: {
    meaning: 'unknown opcode',
    when: 'an op that clients do not send',
    may_resume: true,
    action: 'stop',
  },
  DECODE_ERROR: {
    meaning: 'decode error',
    when: 'not text, no JSON object, too long, unknown encoding',
    may_resume: true,
    action: 'stop',
  },
  NOT_AUTHENTICATED: {
    meaning: 'not authenticated',
    when: 'a frame other than Heartbeat before Identify or Resume',
    may_resume: true,
    action: 'stop',
  },
  AUTHENTICATION_FAILED: {
    meaning: 'authentication failed',
    when: 'the token is invalid or was revoked',
    may_resume: false,
    action: 'stop',
  },
  ALREADY_AUTHENTICATED: {
    meaning: 'already authenticated',
    when: 'a second Identify',
    may_resume: true,
    action: 'stop',
  },
  INVALID_SEQUENCE: {
    meaning: 'invalid sequence',
    when: 'no event of the session had this `seq`',
    may_resume: true,
    action: 'identify',
  },
  RATE_LIMITED: {
    meaning: 'rate limited',
    when: 'more than 120 frames in 60 seconds; too many sessions',
    may_resume: true,
    action: 'resume',
  },
  SESSION_TIMED_OUT: {
    meaning: 'session timed out',
    when: 'no Heartbeat, no Identify',
    may_resume: true,
    action: 'resume',
  },
  INVALID_VERSION: {
    meaning: 'invalid version',
    when: 'the query has another `v`',
    may_resume: true,
    action: 'stop',
  },
};

/** Each close code of the server, in their order. */
export function closeCodes(): (CloseCodeRow & { readonly code: number; readonly name: string })[] {
  const codes = Object.entries(CloseCode).toSorted(([, one], [, other]) => one - other);
  const names = codes.map(([name]) => name);
  return rowsOf('close code', names, CLOSE_CODES).map(([name, row], index) => ({
    code: codes[index]?.[1] ?? 0,
    name,
    ...row,
  }));
}
