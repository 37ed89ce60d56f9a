import { closeSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tell } from '../src/tell.ts';

it('drops what a full disk does not take, and what nobody reads any more', () => {
  const full = openSync('/dev/full', 'w');
  expect(() => tell(full, 'told\n')).not.toThrow();
  closeSync(full);
  expect(() => tell(full, 'told\n')).not.toThrow();
});
