import { invalidForm, type Violation } from '@gatehouse/kit/fault';
import type { EndSessionsRequest } from '@gatehouse/proto/auth';
import { isSessionIdHash } from './session-view.ts';

/** The sessions to end. */
export type SessionChoice =
  | { readonly which: 'named'; readonly id_hashes: readonly string[] }
  | { readonly which: 'others' }
  | { readonly which: 'all' };

const MAX_HASHES = 1000;

/** Reads the one choice of the request. A false member is no choice. */
export function readSessionChoice({ session_id_hashes, others, all }: EndSessionsRequest): SessionChoice {
  const choices: SessionChoice[] = [];
  // A malformed hash is ignored, like the hash of an ended session.
  if (session_id_hashes.length > 0)
    choices.push({ which: 'named', id_hashes: session_id_hashes.filter(isSessionIdHash) });
  if (others === true) choices.push({ which: 'others' });
  if (all === true) choices.push({ which: 'all' });

  const violations: Violation[] = [];
  const [choice] = choices;
  if (session_id_hashes.length > MAX_HASHES)
    violations.push(invalid('session_id_hashes', `Must hold at most ${MAX_HASHES} sessions.`));
  if (choices.length !== 1)
    violations.push(invalid('root', 'Must choose by one of session_id_hashes, others and all.'));
  if (choice === undefined || violations.length > 0) throw invalidForm(violations);
  return choice;
}

function invalid(path: string, message: string): Violation {
  return { path, code: 'INVALID_FORMAT', message };
}
