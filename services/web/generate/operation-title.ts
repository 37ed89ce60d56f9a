const WORDS: Readonly<Record<string, string>> = {
  mfa: 'MFA',
  totp: 'TOTP',
  ip: 'IP',
  webauthn: 'WebAuthn',
  oauth2: 'OAuth2',
};

/** An operation's name as words: `listMessages` is "List messages". */
export function operationTitle(operationId: string): string {
  const words = operationId
    .replaceAll(/(?<!^)([A-Z])/g, ' $1')
    .toLowerCase()
    .split(' ');
  const text = words.map((word) => WORDS[word] ?? word).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
