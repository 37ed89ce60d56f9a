const status = document.querySelector('[role=status]');
const signIn = document.querySelector('#sign-in');
const signOut = document.querySelector('#sign-out');

/** This page is its own callback: it is registered as the redirect URI of the application. */
const redirect_uri = location.origin + location.pathname;
/** Only in memory: after a reload the user signs in again. */
let access_token;

/** `settings.json` has {gatehouse, client_id}. Neither is a secret. */
const settings = await fetch('settings.json').then((response) => (response.ok ? response.json() : undefined));
if (settings === undefined) show('Write settings.json with gatehouse and client_id first.');
else await main(`${settings.gatehouse}/api/v1`, settings.client_id);

async function main(api, client_id) {
  signIn.onclick = () => authorize(api, client_id);
  signOut.onclick = async () => {
    const request = form({ token: access_token, client_id });
    const revoked = await fetch(`${api}/oauth2/token/revoke`, request).catch(() => undefined);
    // Until it succeeds, the tokens are live.
    if (revoked?.ok) show('Signed out.', signIn);
    else show('Not signed out. Try again.', signOut);
  };
  const callback = new URLSearchParams(location.search);
  const { state, code_verifier } = JSON.parse(sessionStorage.getItem('sign-in') ?? '{}');
  sessionStorage.removeItem('sign-in');
  history.replaceState(null, '', redirect_uri); // a reload must not present the code again
  if (!callback.has('code') && !callback.has('error')) return show('You are not signed in.', signIn);
  if (callback.get('state') !== state) return show('This is no answer to a sign-in of this tab.', signIn);
  if (callback.has('error')) return show(`Not signed in: ${callback.get('error')}.`, signIn);
  const exchange = { grant_type: 'authorization_code', code: callback.get('code'), redirect_uri };
  try {
    const tokens = await json(`${api}/oauth2/token`, form({ ...exchange, client_id, code_verifier }));
    access_token = tokens.access_token;
    const headers = { authorization: `Bearer ${access_token}` };
    const user = await json(`${api}/oauth2/userinfo`, { headers });
    show(`Signed in as ${user.username}.`, signOut);
  } catch (error) {
    show(`Not signed in: ${error.message}`, signIn);
  }
}

/** Without a secret, the code is bound to this tab by its verifier (PKCE), and the answer by its state. */
async function authorize(api, client_id) {
  const [state, code_verifier] = [random(), random()];
  sessionStorage.setItem('sign-in', JSON.stringify({ state, code_verifier }));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code_verifier));
  const request = { client_id, redirect_uri, state, response_type: 'code', scope: 'identify' };
  const pkce = { code_challenge: base64url(new Uint8Array(digest)), code_challenge_method: 'S256' };
  location.assign(`${api}/oauth2/authorize?${new URLSearchParams({ ...request, ...pkce })}`);
}

async function json(url, options) {
  const response = await fetch(url, options);
  const body = await response.json();
  if (!response.ok) throw new Error(body.message);
  return body;
}

function form(members) {
  return { method: 'POST', body: new URLSearchParams(members) };
}

function random() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function show(text, button) {
  status.textContent = text;
  for (const one of [signIn, signOut]) one.hidden = one !== button;
}
