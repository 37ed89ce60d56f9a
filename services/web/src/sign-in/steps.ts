import type { LoginResponse } from '@gatehouse/proto/auth';
import { ApiError } from '../shared/api/api-error.ts';
import type { Session } from '../shared/api/session.ts';

/** The second factors of a login. */
export type Factor = 'totp' | 'webauthn' | 'backup_code';

/** A step of signing in. A ticket is stored nowhere else, so it is lost with the page. */
export type Step =
  | { readonly name: 'password'; readonly notice?: string }
  | { readonly name: 'second-factor'; readonly ticket: string; readonly methods: readonly Factor[] }
  | HeldLogin
  | { readonly name: 'forgot' }
  | { readonly name: 'sent'; readonly email: string }
  | { readonly name: 'register' };

/** A login that is held until the link in the mail is opened. */
export interface HeldLogin {
  readonly name: 'held';
  readonly ticket: string;
  /** The masked address. */
  readonly email: string;
  readonly resend_in_seconds: number;
}

/** The controls that the steps share. */
export interface SignInFlow {
  /** Shows another step. */
  readonly go: (step: Step) => void;
  readonly finish: (session: Session) => void;
  /** The entered address, which all steps share. */
  readonly email: string;
  readonly setEmail: (email: string) => void;
}

const FACTORS = ['totp', 'webauthn'] as const;

/** The result of a correct password: a session, or the step of the second factor. */
export function afterPassword(
  response: Pick<LoginResponse, 'token' | 'user_id' | 'ticket' | 'allowed_methods'> &
    Partial<Pick<LoginResponse, 'backup_codes'>>,
): Session | Step {
  const { token, user_id, ticket, allowed_methods, backup_codes } = response;
  if (token && user_id) return { token, user_id };
  if (ticket) {
    const offered: Factor[] = FACTORS.filter((factor) => allowed_methods.includes(factor));
    const methods = backup_codes ? [...offered, 'backup_code' as const] : offered;
    return { name: 'second-factor', ticket, methods };
  }
  throw new Error('the login response has neither a session nor a ticket');
}

/** The held login that an error reports. Undefined for other errors. */
export function heldLoginOf(error: unknown): HeldLogin | undefined {
  if (!(error instanceof ApiError) || error.code !== 'IP_AUTHORIZATION_REQUIRED') return undefined;
  const { ticket, email, resend_available_in } = error.body;
  return {
    name: 'held',
    ticket: String(ticket),
    email: String(email),
    resend_in_seconds: Number(resend_available_in) || 0,
  };
}

/** Whether the ticket has ended: expired, too many wrong codes, or used. */
export function hasTicketEnded(error: unknown): boolean {
  return error instanceof ApiError && error.fields.some(({ code }) => code === 'INVALID_OR_EXPIRED_TICKET');
}
