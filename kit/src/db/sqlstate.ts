/** Classes of database errors: cannot serve now (503), took too long (504), or a bug of ours (500). */
export type DatabaseFailure = 'unavailable' | 'too_late' | 'mistake';

/**
 * By SQLSTATE (PostgreSQL, appendix A): a whole class by two characters, or one condition by all five.
 * docs/database.md has the same table.
 */
export const SQLSTATES: Readonly<Record<string, DatabaseFailure>> = {
  '00': 'mistake', // no error
  '01': 'mistake', // a warning
  '02': 'mistake', // no data
  '03': 'mistake', // SQL statement not yet complete
  '08': 'unavailable', // connection exception; PgBouncer's own errors too
  '09': 'mistake', // triggered action exception
  '0A': 'mistake', // feature not supported
  '0B': 'mistake', // invalid transaction initiation
  '0F': 'mistake', // locator exception
  '0L': 'mistake', // invalid grantor
  '0P': 'mistake', // invalid role specification
  '0Z': 'mistake', // diagnostics exception
  '10': 'mistake', // XQuery error
  '20': 'mistake', // case not found
  '21': 'mistake', // cardinality violation
  '22': 'mistake', // data exception
  '23': 'mistake', // integrity constraint violation; those that a caller may cause are authored
  '24': 'mistake', // invalid cursor state
  '25': 'mistake', // invalid transaction state
  '25006': 'unavailable', // read only: a replica, or a primary before a failover
  '25P03': 'unavailable', // the server ended an idle transaction
  '25P04': 'too_late', // transaction_timeout
  '26': 'mistake', // invalid SQL statement name
  '26000': 'unavailable', // a prepared statement is gone: a pooler gave the connection another session
  '27': 'mistake', // triggered data change violation
  '28': 'unavailable', // login refused: a password that was changed, pg_hba.conf
  '2B': 'mistake', // dependent privilege descriptors still exist
  '2D': 'mistake', // invalid transaction termination
  '2F': 'mistake', // SQL routine exception
  '34': 'mistake', // invalid cursor name
  '38': 'mistake', // external routine exception
  '39': 'mistake', // external routine invocation exception
  '3B': 'mistake', // savepoint exception
  '3D': 'unavailable', // the database does not exist: it is being restored
  '3F': 'mistake', // invalid schema name
  '40': 'unavailable', // rolled back: a deadlock, a conflict, a connection lost at COMMIT
  '42': 'mistake', // syntax error, or no privilege
  '42P05': 'unavailable', // a prepared statement exists already: as with 26000
  '44': 'mistake', // WITH CHECK OPTION violation
  '53': 'unavailable', // no disk, memory or connection left
  '54': 'mistake', // program limit exceeded
  '55': 'mistake', // object not in prerequisite state
  '55000': 'unavailable', // the database takes no connections: maintenance
  '55006': 'unavailable', // object in use
  '55P03': 'unavailable', // lock not available
  '57': 'unavailable', // operator intervention: shutdown, crash, start
  '57014': 'too_late', // statement_timeout
  '58': 'unavailable', // system error: a disk
  '72': 'unavailable', // snapshot too old
  F0: 'unavailable', // configuration file error
  HV: 'mistake', // foreign data wrapper error
  P0: 'mistake', // PL/pgSQL error
  XX: 'mistake', // internal error, corrupted data
};

/** Undefined if PostgreSQL does not document the SQLSTATE. */
export function failureOf(sqlstate: string): DatabaseFailure | undefined {
  if (!/^[0-9A-Z]{5}$/.test(sqlstate)) return undefined;
  return SQLSTATES[sqlstate] ?? SQLSTATES[sqlstate.slice(0, 2)];
}
