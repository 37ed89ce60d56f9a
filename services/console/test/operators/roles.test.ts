import { expect, it } from 'vitest';
import { ACTIONS } from '../../src/actions/registry.ts';
import { LOWEST_ROLES } from '../../web/api/roles.ts';

it('the pages offer each action to the roles that the server allows', () => {
  expect(LOWEST_ROLES).toEqual(Object.fromEntries(ACTIONS.map(({ name, role }) => [name, role])));
});
