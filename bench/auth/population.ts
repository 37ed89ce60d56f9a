import { runStatements } from '@gatehouse/dev-env/postgres/run-statements';
import { databaseUrl } from '@gatehouse/kit/db/pool';

const ACCOUNTS = 20_000;
const SESSIONS = 1_000_000;
const FIRST_ID = 2_000_000_000_000;
const PASSWORD = 'correct horse battery';

/** The token of the nth session of the population. */
function nthToken(n: number): string {
  return `gth_${String(n).padStart(36, 'a')}`;
}

/** A random session of the population. */
export function anyToken(): string {
  return nthToken(Math.floor(Math.random() * SESSIONS));
}

/** One session of each account. */
export function oneOfEach(): string[] {
  return Array.from({ length: ACCOUNTS }, (_, n) => nthToken(n));
}

/** The credentials of the nth account. */
export function nthLogin(n: number): { email: string; password: string } {
  return { email: `bench${n % ACCOUNTS}@example.com`, password: PASSWORD };
}

/** Creates 20,000 accounts with 50 sessions each. All have the password of one registered account. */
export async function populateAccounts(server_url: string, api: string): Promise<void> {
  const registered = await fetch(`${api}/auth/register`, {
    method: 'POST',
    body: JSON.stringify({ email: 'first@example.com', username: 'first', password: PASSWORD }),
  });
  if (!registered.ok) throw new Error(`registration was answered ${registered.status}`);

  await runStatements(databaseUrl(server_url, 'auth'), [
    [
      `INSERT INTO accounts (id, username, username_key, email, email_key, password_hash)
       SELECT $1::bigint + n, 'bench' || n, 'bench' || n, 'bench' || n || '@example.com',
              'bench' || n || '@example.com', (SELECT password_hash FROM accounts WHERE username_key = 'first')
         FROM generate_series(0, $2::int - 1) n`,
      [FIRST_ID, ACCOUNTS],
    ],
    [
      `INSERT INTO sessions (id, account_id, token_hash)
       SELECT $1::bigint + n, $1::bigint + n % $2::int, sha256(('gth_' || lpad(n::text, 36, 'a'))::bytea)
         FROM generate_series(0, $3::int - 1) n`,
      [FIRST_ID, ACCOUNTS, SESSIONS],
    ],
    'VACUUM ANALYZE accounts, sessions',
  ]);
}
