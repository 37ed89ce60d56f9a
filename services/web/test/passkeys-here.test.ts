import { describe, expect, it } from 'vitest';
import { whyNoPasskeys } from '../src/shared/passkeys-here.ts';

describe('whyNoPasskeys', () => {
  const at = (page: string, isSupported = true) => whyNoPasskeys(new URL(page), isSupported);

  it('says nothing of a name', () => {
    for (const page of ['https://gate.example/account', 'http://localhost:8080/', 'https://10.example/'])
      expect(at(page)).toBeUndefined();
  });

  it('leads from an address of this machine to its name, without what else the URL has', () => {
    const instead = 'http://localhost:8080/account';
    for (const host of ['127.0.0.1', '127.1.2.3', '[::1]'])
      expect(at(`http://${host}:8080/account?a=b#token=c`)).toMatchObject({ instead });
  });

  it('leads nowhere from the address of another machine, or in a browser without passkeys', () => {
    for (const page of ['http://10.0.0.7/account', 'http://[2001:db8::1]/account'])
      expect(at(page)).toEqual({ reason: 'Passkeys do not work on a page whose address is a number.' });
    expect(at('https://gate.example/', false)).toEqual({ reason: 'This browser has no passkeys.' });
  });
});
