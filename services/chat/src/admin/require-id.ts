import { invalidForm } from '@gatehouse/kit/fault';
import { isSnowflake } from '@gatehouse/kit/snowflake';

/** Checks an ID of an operator's request. @throws INVALID_FORM_BODY */
export function requireId(path: string, id: string): void {
  if (!isSnowflake(id))
    throw invalidForm([{ path, code: 'INVALID_SNOWFLAKE_FORMAT', message: 'Must be a decimal ID.' }]);
}
