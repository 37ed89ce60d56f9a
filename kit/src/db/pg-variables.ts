/** Of these, pg takes only what a URL leaves out. */
const KEPT = new Set(['PGHOST', 'PGUSER', 'PGPASSWORD', 'PGPASSFILE']);

/**
 * Removes libpq's variables from this process's environment. pg takes whatever a URL does not say from them, such as
 * TLS, options and the port, and some things that no argument can say (replication, binary).
 */
export function forgetPgVariables(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of Object.keys(env)) if (/^PG[A-Z]+/.test(name) && !KEPT.has(name)) delete env[name];
}
