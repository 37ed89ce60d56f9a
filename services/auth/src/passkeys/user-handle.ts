/** What an authenticator keeps of an account (WebAuthn Level 3, section 5.4.3): its ID. */
export function userHandle(account_id: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(account_id, 'latin1'));
}

/** Whether a user handle, base64url, is the account's. */
export function isUserHandleOf(handle: string, account_id: string): boolean {
  return handle === Buffer.from(userHandle(account_id)).toString('base64url');
}
