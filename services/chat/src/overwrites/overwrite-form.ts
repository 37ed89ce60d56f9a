import type { Overwrite } from '@gatehouse/chat-client/permissions';
import type { Form } from '@gatehouse/kit/form';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { OverwriteInput } from '@gatehouse/proto/chat';
import { readId } from '../form/fields.ts';
import { readPermissions } from '../form/read-permissions.ts';

/** Maximum overwrites of a channel, and of all channels of a guild (docs/guilds.md#limits). */
export const MAX_OVERWRITES = 100;
export const MAX_GUILD_OVERWRITES = 5_000;

export const OverwriteType = { ROLE: 0, MEMBER: 1 } as const;

/** Reads a list of overwrites from a request (docs/guilds.md#overwrites). */
export function readOverwrites(form: Form, items: readonly OverwriteInput[]): Overwrite[] {
  const path = 'permission_overwrites';
  if (items.length > MAX_OVERWRITES) {
    form.fail(path, 'INVALID_FORMAT', `Must be at most ${MAX_OVERWRITES} overwrites.`);
    return [];
  }
  const ids = new Set<string>();
  return items.map((item, n) => {
    const { id } = item;
    readId(form, `${path}.${n}.id`, id);
    if (isSnowflake(id) && ids.has(id)) form.fail(`${path}.${n}.id`, 'INVALID_FORMAT', 'Must be named once.');
    ids.add(id);
    return readOverwrite(form, `${path}.${n}.`, item);
  });
}

/** Reads one overwrite, whose ID was checked. */
export function readOverwrite(
  form: Form,
  prefix: string,
  { id, type, allow, deny }: OverwriteInput,
): Overwrite {
  if (type !== OverwriteType.ROLE && type !== OverwriteType.MEMBER) {
    form.fail(`${prefix}type`, 'VALUE_MUST_BE_INTEGER_IN_RANGE', 'Must be 0 for a role or 1 for a member.');
  }
  return {
    id,
    type,
    allow: String(readPermissions(form, `${prefix}allow`, allow ?? '0')),
    deny: String(readPermissions(form, `${prefix}deny`, deny ?? '0')),
  };
}
