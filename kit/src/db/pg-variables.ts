/** The variables that replace parts omitted in a URL. */
const USED_BY_PG = new Set(['PGHOST', 'PGUSER', 'PGPASSWORD', 'PGPASSFILE']);

/**
 * Removes libpq's other variables from this process's environment. pg would read from them whatever a URL does not
 * specify, such as TLS, options and the port, and settings that no argument can override (replication, binary).
 */
export function removePgVariables(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of Object.keys(env)) if (/^PG[A-Z]+/.test(name) && !USED_BY_PG.has(name)) delete env[name];
}
