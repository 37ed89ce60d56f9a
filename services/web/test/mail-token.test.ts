import { expect, it } from 'vitest';
import { tokenOf } from '../src/account/mail-links/mail-token.ts';

it('the token of a mail is read from the fragment only', () => {
  expect(tokenOf('#token=mP2xQ8rT5vY1zB4nC7kD0gF3hJ6lS9wA-eU_iO2pRtE')).toBe(
    'mP2xQ8rT5vY1zB4nC7kD0gF3hJ6lS9wA-eU_iO2pRtE',
  );
  expect(tokenOf('#a=b&token=c')).toBe('c');
  for (const none of ['', '#', '#token=', '#main', '#tokens=c']) expect(tokenOf(none)).toBeUndefined();
});
