import type { FastifyRequest } from 'fastify';
import type { Actor } from '../log/actor.ts';

/** The operator of a request. */
export interface SignedIn extends Actor {
  readonly by: 'session' | 'token' | 'certificate' | 'header';
  /** Of a session: its token's SHA-256. */
  readonly session: Buffer | undefined;
  /** Whether the session may only set up how to sign in. */
  readonly enrolling: boolean;
  /** Whether the operator has a password with TOTP, or a passkey. */
  readonly has_factor: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hook that authenticates; use `operatorOf`. */
    operator: SignedIn | undefined;
  }
}

/** The operator of a request that was authenticated. */
export function operatorOf({ operator }: FastifyRequest): SignedIn {
  if (operator === undefined) throw new Error('the route does not authenticate');
  return operator;
}
