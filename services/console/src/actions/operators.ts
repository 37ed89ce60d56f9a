import { readFlag, readOptionalText, readText } from '../body.ts';
import { addOperator, removeOperator, updateOperator } from '../operators/change-operators.ts';
import { readName, readRole } from '../operators/operator-form.ts';
import type { Action } from './action.ts';

const TEXT = { min: 1, max: 64 };

export const OPERATOR_ACTIONS: readonly Action[] = [
  {
    name: 'operator.add',
    role: 'admin',
    method: 'POST',
    path: '/api/operators',
    reason: 'optional',
    read: (form, { body }) => {
      const name = readName(form, readText(form, body, 'name', TEXT));
      const role = readRole(form, readText(form, body, 'role', TEXT));
      const with_token = readFlag(form, body, 'with_token');
      return { target: `operator:${name}`, run: (deps) => addOperator(deps, { name, role, with_token }) };
    },
  },
  {
    name: 'operator.update',
    role: 'admin',
    method: 'PATCH',
    path: '/api/operators/:name',
    reason: 'optional',
    read: (form, { params, body }) => {
      const name = readName(form, params.name ?? '');
      const given = readOptionalText(form, body, 'role', TEXT);
      const change = {
        role: given === undefined ? undefined : readRole(form, given),
        new_link: readFlag(form, body, 'new_link'),
        new_token: readFlag(form, body, 'new_token'),
      };
      return { target: `operator:${name}`, run: (deps) => updateOperator(deps, name, change) };
    },
  },
  {
    name: 'operator.remove',
    role: 'admin',
    method: 'DELETE',
    path: '/api/operators/:name',
    reason: 'optional',
    read: (form, { params }) => {
      const name = readName(form, params.name ?? '');
      return { target: `operator:${name}`, run: (deps) => removeOperator(deps, name) };
    },
  },
];
