import { Form } from '@gatehouse/kit/form';
import type { CreateRoleRequest, Role } from '@gatehouse/proto/chat';
import { readPermissions } from '../guilds/permission-bits.ts';
import { readText } from '../messages/text.ts';

const MAX_COLOR = 0xffffff;

/** What members can change of a role. */
export type RoleFields = Omit<Role, 'id' | 'position'>;

/** What a client sent of a role: only that is there. @throws INVALID_FORM_BODY */
export function readRoleFields(
  request: Pick<CreateRoleRequest, 'name' | 'color' | 'hoist' | 'mentionable' | 'permissions'>,
): Partial<RoleFields> {
  const { name, color, hoist, mentionable, permissions } = request;
  const form = new Form();
  const fields = {
    ...(name != null && { name: readText(form, 'name', name, { min: 1, max: 100, trim: true }) }),
    ...(color != null && { color: readColor(form, color) }),
    ...(hoist != null && { hoist }),
    ...(mentionable != null && { mentionable }),
    ...(permissions != null && { permissions: String(readPermissions(form, 'permissions', permissions)) }),
  };
  form.check();
  return fields;
}

function readColor(form: Form, color: number): number {
  if (color < 0) form.fail('color', 'COLOR_VALUE_TOO_LOW', 'Must be at least 0.');
  if (color > MAX_COLOR) form.fail('color', 'COLOR_VALUE_TOO_HIGH', `Must be at most ${MAX_COLOR}.`);
  return color;
}
