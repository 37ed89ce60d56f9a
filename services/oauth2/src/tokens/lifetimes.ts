/** How long an access token is live (docs/oauth2.md#token-response). */
export const ACCESS_TOKEN_SECONDS = 604_800;
