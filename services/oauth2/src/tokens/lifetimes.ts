/** Lifetime of an access token (docs/oauth2.md#token-response). */
export const ACCESS_TOKEN_SECONDS = 604_800;
