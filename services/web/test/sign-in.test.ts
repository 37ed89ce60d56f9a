import { describe, expect, it } from 'vitest';
import { ApiError } from '../src/shared/api/api-error.ts';
import { passkeyObstacle } from '../src/shared/passkey-obstacle.ts';
import { afterPassword, hasTicketEnded, heldLoginOf } from '../src/sign-in/steps.ts';

describe('the response to a password', () => {
  it('leads to a session or to the second step', () => {
    expect(afterPassword({ token: 't', user_id: '1', allowed_methods: [] })).toEqual({
      token: 't',
      user_id: '1',
    });
    expect(afterPassword({ ticket: 'x', allowed_methods: ['totp'] })).toEqual({
      name: 'second-factor',
      ticket: 'x',
      methods: ['totp'],
    });
    expect(afterPassword({ ticket: 'x', allowed_methods: ['webauthn'], backup_codes: true })).toEqual({
      name: 'second-factor',
      ticket: 'x',
      methods: ['webauthn', 'backup_code'],
    });
  });

  it('can hold the login', () => {
    const body = {
      code: 'IP_AUTHORIZATION_REQUIRED',
      ticket: 'x',
      email: 'a***@x.org',
      resend_available_in: 30,
    };
    expect(heldLoginOf(new ApiError(403, body))).toEqual({
      name: 'held',
      ticket: 'x',
      email: 'a***@x.org',
      resend_in_seconds: 30,
    });
    expect(heldLoginOf(new ApiError(403, { code: 'FORBIDDEN' }))).toBeUndefined();
    expect(heldLoginOf(new TypeError())).toBeUndefined();
  });

  it('distinguishes an ended ticket from a wrong code', () => {
    const wrong = (path: string, code: string) =>
      new ApiError(400, { code: 'INVALID_FORM_BODY', errors: [{ path, code, message: '' }] });
    expect(hasTicketEnded(wrong('ticket', 'INVALID_OR_EXPIRED_TICKET'))).toBe(true);
    expect(hasTicketEnded(wrong('code', 'INVALID_MFA_CODE'))).toBe(false);
    expect(hasTicketEnded(new ApiError(0, {}))).toBe(false);
  });
});

describe('passkeys', () => {
  const good = { hostname: 'gate.example', isSecureContext: true, hasWebauthn: true };

  it.each(['gate.example', 'localhost', '10.example'])('work at %s', (hostname) => {
    expect(passkeyObstacle({ ...good, hostname })).toBeUndefined();
  });

  it.each(['127.0.0.1', '[::1]', '10.0.0.8'])('do not work at the address %s', (hostname) => {
    expect(passkeyObstacle({ ...good, hostname })).toContain('host name');
  });

  it('need a secure connection and a browser with WebAuthn', () => {
    expect(passkeyObstacle({ ...good, isSecureContext: false })).toContain('https');
    expect(passkeyObstacle({ ...good, hasWebauthn: false })).toContain('browser');
  });
});
