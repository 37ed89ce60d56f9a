/** The variables of which pg takes whatever a URL omits. */
const KEPT = new Set(['PGHOST', 'PGUSER', 'PGPASSWORD', 'PGPASSFILE']);

/**
 * Removes libpq's variables from this process's environment. pg would take from them whatever a URL does not specify,
 * such as TLS, options and the port, and settings that no argument can express (replication, binary).
 */
export function forgetPgVariables(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of Object.keys(env)) if (/^PG[A-Z]+/.test(name) && !KEPT.has(name)) delete env[name];
}
