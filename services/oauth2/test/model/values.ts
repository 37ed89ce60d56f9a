/** Values for commands, in addition to those that the service has issued. */

export const ALL_SCOPES: readonly string[] = ['bot', 'connections', 'email', 'guilds', 'identify'];

export const REDIRECT_URIS: readonly string[] = [
  'https://client.test/callback?from=gatehouse',
  'http://127.0.0.1:9/back',
];

/** No application has it. */
export const UNKNOWN_ID = '7';

/** Neither a code nor a token. */
export const GARBAGE = 'A'.repeat(43);

export const VERIFIER = 'a-verifier-of-more-than-forty-three-characters.~_';
export const OTHER_VERIFIER = 'another-verifier-of-more-than-forty-three-characters';
