import { authorizationCode } from './authorization-code.ts';
import type { Grant } from './grant.ts';
import { refreshToken } from './refresh-token.ts';

/** The grants, by the value of grant_type. */
export const GRANTS: ReadonlyMap<string, Grant> = new Map([
  ['authorization_code', authorizationCode],
  ['refresh_token', refreshToken],
]);
