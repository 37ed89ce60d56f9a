export const PASSKEYS = '/users/@me/mfa/webauthn/credentials';
