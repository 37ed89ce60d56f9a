import { Counter, type Registry } from 'prom-client';

/** What a login is finished or tried by. */
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
 * What came of a step: a session; a second factor is asked for; held until a mail is answered; wrong; too many attempts;
 * or the service failed.
 */
export type LoginOutcome = 'session' | 'second_factor' | 'held' | 'wrong' | 'limited' | 'failed';

/** Why sessions ended: their owner logged out, chose them, set another password, or has too many. */
export type SessionsEnd = 'logout' | 'chosen' | 'password' | 'room';
const ENDS: readonly SessionsEnd[] = ['logout', 'chosen', 'password', 'room'];

export type MailOutcome = 'delivered' | 'no_mailbox' | 'expired' | 'failed';

/** What this service counts, each label of a closed set. */
export interface AuthCounts {
  login(step: LoginStep, outcome: LoginOutcome): void;
  /** As its transaction writes it, which may yet be undone. */
  sessionsEnded(reason: SessionsEnd, count: number): void;
  mail(outcome: MailOutcome): void;
}

export function authCounts(registry: Registry): AuthCounts {
  const registers = [registry];
  const logins = new Counter({
    name: 'auth_logins_total',
    help: 'Steps of logins, by what was proven and what came of it',
    labelNames: ['step', 'outcome'],
    registers,
  });
  const started = new Counter({
    name: 'auth_sessions_started_total',
    help: 'Sessions that were started, by the step that finished the login',
    labelNames: ['step'],
    registers,
  });
  const ended = new Counter({
    name: 'auth_sessions_ended_total',
    help: 'Sessions that were ended, by reason; those of deleted accounts and expired ones are not among them',
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
