import type { ConsentRequest } from './request.ts';

const MAX_LENGTH = 320;
/** One part before the @ and one after it, without blanks, quotes and invisible characters. */
const ADDRESS = /^[^\s@"<>\p{C}]+@[^\s@"<>\p{C}]+$/u;

/** The address that the application expects to sign in (OpenID Connect Core §3.1.2.1). Only an address fills the field. */
export function loginHint({ parameters: { login_hint } }: ConsentRequest): string | undefined {
  if (login_hint === undefined || login_hint.length > MAX_LENGTH) return undefined;
  return ADDRESS.test(login_hint) ? login_hint : undefined;
}
