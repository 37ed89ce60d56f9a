import OAuth2Strategy from 'passport-oauth2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consent, newOauthClient, type OauthClient, refuseConsent } from '../../oauth2/consent.ts';
import type { TestStack } from '../../support/stack.ts';
import { type PassportServer, servePassport } from './passport-server.ts';

/** What passport-oauth2 leaves to a subclass: the profile, here from userinfo. */
class GatehouseStrategy extends OAuth2Strategy {
  /** No #userinfo: passport calls methods of an object that only inherits from this one. */
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
      client = await newOauthClient(stack.api, server.callback);
      server.use(new GatehouseStrategy(`${stack.url}/api/v1/oauth2`, client, server.callback));
    });
    afterAll(() => server.close());

    /** From the application to the consent page, as a browser goes. */
    const signIn = async () => {
      const browser = server.browser();
      const { location: authorize } = await browser.get(server.login);
      const { location: page } = await browser.get(authorize);
      expect(page).toMatch(/\/oauth2\/authorize\?.*code_challenge_method=S256/);
      return { browser, page };
    };

    it('signs in who consents: tokens for the verify callback, and the profile of userinfo', async () => {
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

    it('signs nobody in who refuses', async () => {
      const { browser, page } = await signIn();
      const callback = await refuseConsent(client.person, page);
      expect(callback.searchParams.get('error')).toBe('access_denied');
      expect(await browser.result(callback)).toEqual({ error: null, user: false, info: {}, status: null });
    });

    it('signs nobody in by a state that is not the session’s', async () => {
      const { browser, page } = await signIn();
      const callback = await consent(client.person, page);
      callback.searchParams.set('state', `${callback.searchParams.get('state')}x`);
      const info = { message: 'Invalid authorization request state.' };
      expect(await browser.result(callback)).toEqual({ error: null, user: false, info, status: 403 });
    });

    it('sees a code that was used as its own error', async () => {
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
