import { expect, it } from 'vitest';
import { onLocalhost } from '../src/account/passkeys/on-localhost.ts';

it('a page at a loopback address has a URL on localhost with the same path, without query and fragment', () => {
  const there = 'http://localhost:8080/account';
  for (const host of ['127.0.0.1', '127.1.2.3', '[::1]'])
    expect(onLocalhost({ href: `http://${host}:8080/account?a=b#token=c` })).toBe(there);
  for (const href of ['http://10.0.0.7/account', 'http://[2001:db8::1]/', there, 'https://127.example/'])
    expect(onLocalhost({ href })).toBeUndefined();
});
