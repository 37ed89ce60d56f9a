import { errorText } from '@gatehouse/web/shared/api/error-text.ts';
import { retryLater } from '@gatehouse/web/shared/api/retry-later.ts';
import { effect, signal } from '@preact/signals';
import { ApiError, call, refusals } from './call.ts';
import { type ActionName, type Role, roleMay } from './roles.ts';

/** The operator who is signed in. */
export interface Me {
  readonly name: string;
  readonly role: Role;
  /** The version of the console. */
  readonly version: string;
  /** `enrol`: a one-time link was used, and the operator has to set up how to sign in. */
  readonly state: 'enrol' | 'signed_in';
  /** Whether the operator has a password with TOTP, or a passkey. */
  readonly has_factor: boolean;
  readonly by: 'session' | 'token' | 'certificate' | 'header';
}

/** `unknown` until the server has answered; `nobody`: signed out. */
export const me = signal<Me | 'unknown' | 'nobody'>('unknown');

/** Why it is still unknown who is signed in. */
export const meProblem = signal<string | undefined>(undefined);

let failures = 0;

/** While the server is away, it tries again by itself. */
export async function loadMe(): Promise<void> {
  try {
    me.value = await call<Me>('GET', '/me');
    meProblem.value = undefined;
    failures = 0;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) me.value = 'nobody';
    meProblem.value = errorText(error);
    retryLater(error, failures++, () => void loadMe());
  }
}

/** Whether the operator may take the action. */
export function may(action: ActionName): boolean {
  const known = me.value;
  return typeof known === 'object' && roleMay(known.role, action);
}

// Any answer may say that the session has ended.
effect(() => {
  if (refusals.value > 0 && typeof me.peek() === 'object') me.value = 'nobody';
});
