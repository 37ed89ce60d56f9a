/** Classes of database errors: cannot serve now (503), took too long (504), or a bug of ours (500). */
export type DatabaseFailure = 'unavailable' | 'too_late' | 'bug';

/**
 * By SQLSTATE (PostgreSQL, appendix A): a whole class by two characters, or one condition by all five.
 * docs/database.md has the same table.
 */
export const SQLSTATES: Readonly<Record<string, DatabaseFailure>> = {
  '00': 'bug', // no error
  '01': 'bug', // a warning
  '02': 'bug', // no data
  '03': 'bug', // SQL statement not yet complete
  '08': 'unavailable', // connection exception; PgBouncer's own errors too
  '09': 'bug', // triggered action exception
  '0A': 'bug', // feature not supported
  '0B': 'bug', // invalid transaction initiation
  '0F': 'bug', // locator exception
  '0L': 'bug', // invalid grantor
  '0P': 'bug', // invalid role specification
  '0Z': 'bug', // diagnostics exception
  '10': 'bug', // XQuery error
  '20': 'bug', // case not found
  '21': 'bug', // cardinality violation
  '22': 'bug', // data exception
  '23': 'bug', // integrity constraint violation; those that a caller may cause are authored
  '24': 'bug', // invalid cursor state
  '25': 'bug', // invalid transaction state
  '25006': 'unavailable', // read only: a replica, or a primary before a failover
  '25P03': 'unavailable', // the server ended an idle transaction
  '25P04': 'too_late', // transaction_timeout
  '26': 'bug', // invalid SQL statement name
  '26000': 'unavailable', // a prepared statement is gone: a pooler gave the connection another session
  '27': 'bug', // triggered data change violation
  '28': 'unavailable', // login refused: a password that was changed, pg_hba.conf
  '2B': 'bug', // dependent privilege descriptors still exist
  '2D': 'bug', // invalid transaction termination
  '2F': 'bug', // SQL routine exception
  '34': 'bug', // invalid cursor name
  '38': 'bug', // external routine exception
  '39': 'bug', // external routine invocation exception
  '3B': 'bug', // savepoint exception
  '3D': 'unavailable', // the database does not exist: it is being restored
  '3F': 'bug', // invalid schema name
  '40': 'unavailable', // rolled back: a deadlock, a conflict, a connection lost at COMMIT
  '42': 'bug', // syntax error, or no privilege
  '42P05': 'unavailable', // a prepared statement exists already: as with 26000
  '44': 'bug', // WITH CHECK OPTION violation
  '53': 'unavailable', // no disk, memory or connection left
  '54': 'bug', // program limit exceeded
  '55': 'bug', // object not in prerequisite state
  '55000': 'unavailable', // the database takes no connections: maintenance
  '55006': 'unavailable', // object in use
  '55P03': 'unavailable', // lock not available
  '57': 'unavailable', // operator intervention: shutdown, crash, start
  '57014': 'too_late', // statement_timeout
  '58': 'unavailable', // system error: a disk
  '72': 'unavailable', // snapshot too old
  F0: 'unavailable', // configuration file error
  HV: 'bug', // foreign data wrapper error
  P0: 'bug', // PL/pgSQL error
  XX: 'bug', // internal error, corrupted data
};

/** Undefined if PostgreSQL does not document the SQLSTATE. */
export function failureOf(sqlstate: string): DatabaseFailure | undefined {
  if (!/^[0-9A-Z]{5}$/.test(sqlstate)) return undefined;
  return SQLSTATES[sqlstate] ?? SQLSTATES[sqlstate.slice(0, 2)];
}
