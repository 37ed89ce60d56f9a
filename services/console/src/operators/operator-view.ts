import type { Operator } from '@gatehouse/proto/console';
import type { OperatorRow } from '../store/operators.ts';

/** An operator as the console and the commands show them. */
export function operatorView({ created_at, last_seen_at, ...row }: OperatorRow): Operator {
  return {
    name: row.name,
    role: row.role,
    created_at_ms: created_at.getTime(),
    last_seen_at_ms: last_seen_at?.getTime() ?? null,
    totp: row.totp,
    passkeys: row.passkeys,
  };
}
