import OAuth2Strategy from 'passport-oauth2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consent, newOauthClient, type OauthClient, refuseConsent } from '../../oauth2/consent.ts';
import type { TestStack } from '../../support/stack.ts';
import { type PassportServer, servePassport } from './passport-server.ts';

/** passport-oauth2 leaves the profile to a subclass; this one reads userinfo. */
class GatehouseStrategy extends OAuth2Strategy {
  /** A private field would fail: passport calls methods on an object that only inherits from this one. */
  private readonly userinfo: string;

  constructor(routes: string, { client_id, client_secret }: OauthClient, callbackURL: string) {
    const options = {
      authorizationURL: `${routes}/authorize`,
      tokenURL: `${routes}/token`,
      clientID: client_id,
      clientSecret: client_secret,
      callbackURL,
      scope: ['identify', 'email'],
      state: true,
      pkce: true,
    };
    super(options, (access_token, refresh_token, answer: object, profile: object, done) => {
      done(null, { access_token, refresh_token, answer, profile });
    });
    this.userinfo = `${routes}/userinfo`;
    this._oauth2.useAuthorizationHeaderforGET(true);
  }

  override userProfile(access_token: string, done: (error?: unknown, profile?: object) => void): void {
    this._oauth2.get(this.userinfo, access_token, (error, body) => {
      if (error) done(error);
      else done(null, JSON.parse(String(body)));
    });
  }
}

export function passportOauth2(stack: TestStack): void {
  describe('passport-oauth2, with state and PKCE in a session', () => {
    let server: PassportServer;
    let client: OauthClient;
    beforeAll(async () => {
      server = await servePassport();
      client = await newOauthClient(stack.api, { redirect_uris: [server.callback] });
      server.use(new GatehouseStrategy(`${stack.url}/api/v1/oauth2`, client, server.callback));
    });
    afterAll(() => server.close());

    /** Follows the redirect from the application to the consent page, as a browser does. */
    const signIn = async () => {
      const browser = server.browser();
      const { location: authorize } = await browser.get(server.login);
      const { location: page } = await browser.get(authorize);
      expect(page).toMatch(/\/oauth2\/authorize\?.*code_challenge_method=S256/);
      return { browser, page };
    };

    it('signs the user in after consent: tokens for the verify callback, and the profile from userinfo', async () => {
      const { browser, page } = await signIn();
      const { status, user } = await browser.result(await consent(client.person, page));
      expect([status, user]).toEqual([
        null,
        {
          access_token: expect.any(String),
          refresh_token: expect.any(String),
          answer: expect.objectContaining({
            token_type: 'Bearer',
            expires_in: 604_800,
            scope: 'email identify',
          }),
          profile: expect.objectContaining({ sub: client.person.user.id, email: client.person.email }),
        },
      ]);
    });

    it('signs nobody in after a refusal', async () => {
      const { browser, page } = await signIn();
      const callback = await refuseConsent(client.person, page);
      expect(callback.searchParams.get('error')).toBe('access_denied');
      expect(await browser.result(callback)).toEqual({ error: null, user: false, info: {}, status: null });
    });

    it('signs nobody in with the state of another session', async () => {
      const { browser, page } = await signIn();
      const callback = await consent(client.person, page);
      callback.searchParams.set('state', `${callback.searchParams.get('state')}x`);
      const info = { message: 'Invalid authorization request state.' };
      expect(await browser.result(callback)).toEqual({ error: null, user: false, info, status: 403 });
    });

    it('raises its own error for a used code', async () => {
      const first = await signIn();
      const used = await consent(client.person, first.page);
      expect(await first.browser.result(used)).toMatchObject({ error: null });
      const second = await signIn();
      const callback = await consent(client.person, second.page);
      callback.searchParams.set('code', used.searchParams.get('code') ?? '');
      const { error, user } = await second.browser.result(callback);
      expect(error).toMatchObject({ name: 'TokenError', code: '400 Bad Request' });
      expect(user).toBeNull();
    });
  });
}
