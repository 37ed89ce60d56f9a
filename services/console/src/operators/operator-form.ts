import type { Form } from '@gatehouse/kit/form';
import { isRole, type Role } from '../role.ts';

/** Reads the name of a new operator. */
export function readName(form: Form, name: string): string {
  if (!isOperatorName(name))
    form.fail('name', 'INVALID_FORMAT', 'Must be 1 to 64 of a-z, 0-9, ".", "_" and "-".');
  return name;
}

export function isOperatorName(name: string): boolean {
  return /^[a-z0-9._-]{1,64}$/.test(name);
}

/** Reads a role. If it is none, the form has a violation. */
export function readRole(form: Form, role: string): Role {
  if (isRole(role)) return role;
  form.fail('role', 'INVALID_FORMAT', 'Must be read, support or admin.');
  return 'read';
}
