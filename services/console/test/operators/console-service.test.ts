import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsoleUnderTest, IN_TIME, startConsole } from '../start-console.ts';

let service: ConsoleUnderTest;
beforeAll(async () => {
  service = await startConsole('console_service');
});
afterAll(() => service.close());

it('operators are added, changed and removed, each with a line of certificate:admin', async () => {
  const { operators } = service;
  const added = await operators.addOperator({ name: 'kim', role: 'support', with_token: false }, IN_TIME);
  expect(added).toMatchObject({ operator: { name: 'kim', role: 'support', totp: false, passkeys: 0 } });
  expect(added.token).toBeFalsy();
  const changed = await operators.updateOperator(
    { name: 'kim', role: 'admin', new_link: false, new_token: true },
    IN_TIME,
  );
  expect(changed).toMatchObject({
    operator: { role: 'admin' },
    token: expect.stringMatching(/^gho_/) as unknown,
  });
  const listed = await operators.listOperators({}, IN_TIME);
  expect(listed.operators).toMatchObject([{ name: 'kim', role: 'admin' }]);
  await operators.removeOperator({ name: 'kim' }, IN_TIME);
  expect((await operators.listOperators({}, IN_TIME)).operators).toEqual([]);

  const { actions } = await operators.listActions({ after: '0' }, IN_TIME);
  expect(actions.map(({ operator, action, target, outcome }) => [operator, action, target, outcome])).toEqual(
    ['operator.add', 'operator.update', 'operator.remove'].map((action) => [
      'certificate:admin',
      action,
      'operator:kim',
      'done',
    ]),
  );
  expect(JSON.parse(actions[1]?.before ?? '')).toMatchObject({ role: 'support' });
  expect(JSON.parse(actions[1]?.after ?? '')).toMatchObject({ role: 'admin' });
  expect(actions[2]?.after).toBe('');
});

it('one of several simultaneous additions of a name wins', async () => {
  const { operators } = service;
  const add = () => operators.addOperator({ name: 'twin', role: 'read', with_token: false }, IN_TIME);
  const results = await Promise.allSettled(Array.from({ length: 6 }, add));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await reasonOf(add())).toBe('OPERATOR_EXISTS');
});

it('wrong requests are refused', async () => {
  const { operators } = service;
  const wrong = { name: 'Kim!', role: 'owner', with_token: false };
  expect(await violationsOf(operators.addOperator(wrong, IN_TIME))).toEqual([
    'name INVALID_FORMAT',
    'role INVALID_FORMAT',
  ]);
  expect(await reasonOf(operators.removeOperator({ name: 'nobody' }, IN_TIME))).toBe('UNKNOWN_OPERATOR');
  const change = { name: 'nobody', new_link: true, new_token: false };
  expect(await reasonOf(operators.updateOperator(change, IN_TIME))).toBe('UNKNOWN_OPERATOR');
  expect(await violationsOf(operators.listActions({ limit: 1_001, before: 'x' }, IN_TIME))).toEqual([
    'limit INVALID_FORMAT',
    'before INVALID_FORMAT',
  ]);
});
