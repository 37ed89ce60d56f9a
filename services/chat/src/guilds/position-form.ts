import { Form } from '@gatehouse/kit/form';
import type { Position } from '@gatehouse/proto/chat';
import { readInteger } from '../form/fields.ts';

export const MAX_POSITION = 10_000;

/**
 * Reads an order from a request (docs/guilds.md#positions). Each ID may occur once.
 *
 * @throws INVALID_FORM_BODY
 */
export function readPositions(positions: readonly Position[], max: number): readonly Position[] {
  const form = new Form();
  if (positions.length > max) form.fail('positions', 'INVALID_FORMAT', `Must be at most ${max} positions.`);
  const seen = new Set<string>();
  for (const [index, { id, position }] of positions.slice(0, max).entries()) {
    if (seen.has(id)) form.fail(`positions.${index}.id`, 'INVALID_FORMAT', 'Must be named only once.');
    seen.add(id);
    readInteger(form, `positions.${index}.position`, position, 0, MAX_POSITION);
  }
  form.check();
  return positions;
}
