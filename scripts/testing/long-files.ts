/**
 * The test files that take longest, the longest first. They begin first, so that at the end no worker is left alone
 * with one; of the others vitest remembers the last run. A file that is not here is only begun later.
 */
export const LONG_FILES: readonly string[] = [
  'test-e2e/resilience.test.ts',
  'test-e2e/rolling-restart.test.ts',
  'test-e2e/web/account.test.ts',
  'test-e2e/gateway-hostile.test.ts',
  'test-e2e/gateway-races.test.ts',
  'test-e2e/chat.test.ts',
  'test-e2e/web/sign-in.test.ts',
  'test-e2e/backup.test.ts',
  'services/oauth2/test/killed-replica.test.ts',
  'test-e2e/oauth2-authorize.test.ts',
  'test-e2e/pictures.test.ts',
  'scripts/test/service-logins.test.ts',
  'services/auth/test/mail-smtp.test.ts',
  'kit/test/call-connection.test.ts',
  'scripts/auth/auth.test.ts',
  'gateway/test/errors.test.ts',
  'scripts/test/start.test.ts',
  'test-e2e/mutual-tls.test.ts',
  'kit/test/call-stream-server.test.ts',
  'services/auth/test/delete-account.test.ts',
  'kit/test/lifecycle.test.ts',
  'scripts/test/supervise.test.ts',
  'test-e2e/codehost.test.ts',
  'test-e2e/credentials.test.ts',
  'gateway/test/start.test.ts',
  'gateway/test/limit/outage.test.ts',
  'test-e2e/auth.test.ts',
  'scripts/ratelimit/ratelimit.test.ts',
];
