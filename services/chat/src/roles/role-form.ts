import { Form } from '@gatehouse/kit/form';
import type { CreateRoleRequest, Role } from '@gatehouse/proto/chat';
import { readColor, readText } from '../form/fields.ts';
import { readPermissions } from '../form/read-permissions.ts';

/** The role settings that members can change. */
export type RoleFields = Omit<Role, 'id' | 'position'>;

/**
 * Reads role settings from a request. The result has only those that the client sent.
 *
 * @throws INVALID_FORM_BODY
 */
export function readRoleFields(
  request: Pick<CreateRoleRequest, 'name' | 'color' | 'hoist' | 'mentionable' | 'permissions'>,
): Partial<RoleFields> {
  const { name, color, hoist, mentionable, permissions } = request;
  const form = new Form();
  const fields = {
    ...(name != null && { name: readText(form, 'name', name, { min: 1, max: 100, trim: true }) }),
    ...(color != null && { color: readColor(form, 'color', color) }),
    ...(hoist != null && { hoist }),
    ...(mentionable != null && { mentionable }),
    ...(permissions != null && { permissions: String(readPermissions(form, 'permissions', permissions)) }),
  };
  form.check();
  return fields;
}
