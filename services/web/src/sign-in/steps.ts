import type { LoginResponse } from '@gatehouse/proto/auth';
import { ApiError } from '../shared/api/api-error.ts';
import type { Session } from '../shared/api/session.ts';

/** What finishes a login after its password. */
export type Factor = 'totp' | 'webauthn' | 'backup_code';

/** One step of the way in. Tickets are here only, and gone with the page. */
export type Step =
  | { readonly name: 'password'; readonly notice?: string }
  | { readonly name: 'second-factor'; readonly ticket: string; readonly methods: readonly Factor[] }
  | HeldLogin
  | { readonly name: 'forgot' }
  | { readonly name: 'sent'; readonly email: string }
  | { readonly name: 'register' };

/** A login that waits for the link in a mail. */
export interface HeldLogin {
  readonly name: 'held';
  readonly ticket: string;
  /** Masked. */
  readonly email: string;
  readonly resend_in_seconds: number;
}

/** What a step needs to lead to another. */
export interface Way {
  readonly go: (step: Step) => void;
  readonly finish: (session: Session) => void;
  /** What was typed is kept from step to step. */
  readonly email: string;
  readonly setEmail: (email: string) => void;
}

const FACTORS = ['totp', 'webauthn'] as const;

/** Where the answer to a password leads: to a session, or to the second factor. */
export function afterPassword(
  answer: Pick<LoginResponse, 'token' | 'user_id' | 'ticket' | 'allowed_methods'> &
    Partial<Pick<LoginResponse, 'backup_codes'>>,
): Session | Step {
  const { token, user_id, ticket, allowed_methods, backup_codes } = answer;
  if (token && user_id) return { token, user_id };
  if (ticket) {
    const offered: Factor[] = FACTORS.filter((factor) => allowed_methods.includes(factor));
    const methods = backup_codes ? [...offered, 'backup_code' as const] : offered;
    return { name: 'second-factor', ticket, methods };
  }
  throw new Error('an answer to a password has neither a session nor a ticket');
}

/** The step that an error of a login leads to; undefined: it is a problem. */
export function heldBy(error: unknown): HeldLogin | undefined {
  if (!(error instanceof ApiError) || error.code !== 'IP_AUTHORIZATION_REQUIRED') return undefined;
  const { ticket, email, resend_available_in } = error.body;
  return {
    name: 'held',
    ticket: String(ticket),
    email: String(email),
    resend_in_seconds: Number(resend_available_in) || 0,
  };
}

/** Whether the ticket has ended: by time, by too many wrong answers, or by use. */
export function hasTicketEnded(error: unknown): boolean {
  return error instanceof ApiError && error.fields.some(({ code }) => code === 'INVALID_OR_EXPIRED_TICKET');
}
