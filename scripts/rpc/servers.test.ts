import { CALLS } from '@gatehouse/proto/peers';
import { PROCESSES } from '@gatehouse/stack/processes';
import { expect, it } from 'vitest';
import { addressVariable, SERVERS } from './servers.ts';

it('knows the services that npm start runs and an operator may call, in its order, and their variables', () => {
  const callable = CALLS.flatMap(({ from, to }) => (from === 'operator' ? [String(to)] : []));
  expect(callable.filter((name) => !SERVERS.includes(name))).toEqual([]);
  expect(SERVERS.map((name) => [name, addressVariable(name)])).toEqual(
    PROCESSES.filter(({ address_variable = '' }) => address_variable.endsWith('_ADDRESS')).map(
      ({ name, address_variable }) => [name, address_variable],
    ),
  );
});
