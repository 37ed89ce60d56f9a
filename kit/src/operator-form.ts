import { Form } from './form.ts';
import { isSnowflake } from './snowflake.ts';

/** The operator who changes something, and why. */
export interface OperatorAction {
  readonly operator: string;
  readonly reason: string;
}

const OPERATOR_LIMIT = 64;
const REASON_LIMIT = 512;

/** Reads the operator and the reason of a change. Both are trimmed, and neither may be empty. @throws INVALID_FORM_BODY */
export function readOperatorAction({ operator, reason }: OperatorAction): OperatorAction {
  const form = new Form();
  const action = {
    operator: storableText(form, 'operator', operator, OPERATOR_LIMIT),
    reason: storableText(form, 'reason', reason, REASON_LIMIT),
  };
  form.check();
  return action;
}

/** PostgreSQL stores every character of a text but NUL. */
function storableText(form: Form, path: string, value: string, max: number): string {
  if (value.includes('\0')) form.fail(path, 'INVALID_FORMAT', 'Must have no NUL character.');
  return form.text(path, value, { min: 1, max, trim: true });
}

/** A search of operators: what they look for, and the page. */
export interface OperatorSearch {
  /** Trimmed; empty: everything. */
  readonly query: string;
  /** Only rows with a smaller ID. */
  readonly before: string;
  readonly limit: number;
}

interface SearchRequest {
  readonly query?: string;
  readonly before?: string | null | undefined;
  readonly limit?: number | null | undefined;
}

const QUERY_LIMIT = 320;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
/** The highest possible ID. */
const AFTER_NEWEST = '9223372036854775807';

/** Reads a search, newest first: at most 320 characters, and 1 to 100 rows. */
export function readOperatorSearch(
  form: Form,
  { query = '', before, limit }: SearchRequest,
  defaultLimit = DEFAULT_LIMIT,
): OperatorSearch {
  const wanted = limit ?? defaultLimit;
  if (wanted < 1 || wanted > MAX_LIMIT)
    form.fail('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE', `Must be 1 to ${MAX_LIMIT}.`);
  if (before && !isSnowflake(before))
    form.fail('before', 'INVALID_SNOWFLAKE_FORMAT', 'Must be a decimal ID.');
  return {
    query: form.text('query', query, { max: QUERY_LIMIT, trim: true }),
    before: before || AFTER_NEWEST,
    limit: wanted,
  };
}

/** Checks the IDs of a look-up of several rows: at most 100 by default. */
export function readOperatorIds(
  form: Form,
  path: string,
  ids: readonly string[],
  max = MAX_LIMIT,
): readonly string[] {
  if (ids.length > max) form.fail(path, 'ARRAY_LENGTH_INVALID', `Must be at most ${max} IDs.`);
  else if (!ids.every(isSnowflake)) form.fail(path, 'INVALID_SNOWFLAKE_FORMAT', 'Must be decimal IDs.');
  return ids;
}
