import { Counter, type Registry } from 'prom-client';

/** The steps that can complete a login. */
const LOGIN_STEPS = [
  'registration',
  'password',
  'totp',
  'passkey_second_factor',
  'passkey',
  'mail',
  'password_reset',
] as const;
export type LoginStep = (typeof LOGIN_STEPS)[number];

/**
 * The outcome of a step: a session; a second factor is required; held until the mail is confirmed; the account is
 * suspended; wrong; too many attempts; or an error of the service.
 */
export type LoginOutcome =
  | 'session'
  | 'second_factor'
  | 'held'
  | 'suspended'
  | 'wrong'
  | 'limited'
  | 'failed';

/** Why sessions ended: a logout, a choice of their owner, a new password, the limit per account, or an operator. */
export type SessionsEnd = 'logout' | 'chosen' | 'password' | 'room' | 'operator';
const ENDS: readonly SessionsEnd[] = ['logout', 'chosen', 'password', 'room', 'operator'];

export type MailOutcome = 'delivered' | 'no_mailbox' | 'expired' | 'failed';

/** The service's counters. All labels have a fixed set of values. */
export interface AuthCounts {
  login(step: LoginStep, outcome: LoginOutcome): void;
  /** Counted in the transaction, which may still be rolled back. */
  sessionsEnded(reason: SessionsEnd, count: number): void;
  mail(outcome: MailOutcome): void;
}

export function authCounts(registry: Registry): AuthCounts {
  const registers = [registry];
  const logins = new Counter({
    name: 'auth_logins_total',
    help: 'Steps of logins, by proof and outcome',
    labelNames: ['step', 'outcome'],
    registers,
  });
  const started = new Counter({
    name: 'auth_sessions_started_total',
    help: 'Sessions that were started, by the step that completed the login',
    labelNames: ['step'],
    registers,
  });
  const ended = new Counter({
    name: 'auth_sessions_ended_total',
    help: 'Sessions that were ended, by reason, without expired sessions and those of deleted accounts',
    labelNames: ['reason'],
    registers,
  });
  const mails = new Counter({
    name: 'auth_mails_total',
    help: 'Attempts to send a mail, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  for (const step of LOGIN_STEPS) started.inc({ step }, 0);
  for (const reason of ENDS) ended.inc({ reason }, 0);
  return {
    login: (step, outcome) => {
      logins.inc({ step, outcome });
      if (outcome === 'session') started.inc({ step });
    },
    sessionsEnded: (reason, count) => ended.inc({ reason }, count),
    mail: (outcome) => mails.inc({ outcome }),
  };
}
