import { expect, it } from 'vitest';
import { PROCESSES } from '../suite/processes.ts';
import { addressVariable, SERVERS } from './servers.ts';

it('knows the services that npm start runs, in its order, and their variables', () => {
  expect(SERVERS.map((name) => [name, addressVariable(name)])).toEqual(
    PROCESSES.filter(({ address_variable }) => address_variable !== undefined).map(
      ({ name, address_variable }) => [name, address_variable],
    ),
  );
});
