import { route } from '../route.ts';

/** Contract 4, section 3: a body whose members key a bucket is read before the limits are asked. */
const AUTH_BODY_BYTES = 64 * 1024;

/** Accounts and sessions (contract 4, section 5). */
export const authRoutes = [
  route('POST /auth/register', 'auth', 'register', {
    who: 'public',
    buckets: ['auth:register', 'registration:email', 'registration:ip', 'registration:subnet'],
    body: 'json',
    body_limit_bytes: AUTH_BODY_BYTES,
  }),
  route('POST /auth/login', 'auth', 'login', {
    who: 'public',
    buckets: ['auth:login', 'auth:login:email', 'login:ip'],
    body: 'json',
    body_limit_bytes: AUTH_BODY_BYTES,
  }),
  route('POST /auth/logout', 'auth', 'logout', { who: 'user', buckets: ['auth:logout'], status: 204 }),
  route('GET /users/@me', 'auth', 'getCurrentUser', {
    who: 'user_or_bot',
    buckets: ['user:settings:get'],
    answer: 'user',
  }),
];
