import type { Page } from 'playwright-core';

export interface VirtualAuthenticator {
  /** Its passkeys. */
  passkeys(): Promise<VirtualPasskey[]>;
  /** Sets whether its user passes verification from now on. */
  verifies(verified: boolean): Promise<void>;
}

export interface VirtualPasskey {
  /** base64url */
  readonly id: string;
  readonly rp_id: string | undefined;
  readonly sign_count: number;
}

/**
 * Adds a virtual platform authenticator to a page, behind Chromium's own WebAuthn: it stores passkeys, verifies its
 * user, and confirms everything at once. WebAuthn requires a host name: the page's address begins with
 * http://localhost, and so does the stack's WEB_APP_URL.
 */
export async function virtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    passkeys: async () => {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.map(({ credentialId, rpId, signCount }) => ({
        id: Buffer.from(credentialId, 'base64').toString('base64url'),
        rp_id: rpId,
        sign_count: signCount,
      }));
    },
    verifies: async (verified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: verified });
    },
  };
}
