/** Whom a database URL logs in. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

/** Undefined where the URL does not say both. */
export function loginOf(database_url: string): Login | undefined {
  const url = new URL(database_url);
  // As pg reads a URL: its parameters come first.
  const user = url.searchParams.get('user') || decodeURIComponent(url.username);
  const password = url.searchParams.get('password') || decodeURIComponent(url.password);
  return user === '' || password === '' ? undefined : { user, password };
}

/** The same URL for somebody else. */
export function withLogin(database_url: string, { user, password }: Login): string {
  const url = new URL(database_url);
  url.searchParams.delete('user');
  url.searchParams.delete('password');
  if (url.hostname === '') {
    // A socket's folder is a parameter, and a URL without a host cannot name a user before it.
    url.searchParams.set('user', user);
    url.searchParams.set('password', password);
  } else {
    url.username = encodeURIComponent(user);
    url.password = encodeURIComponent(password);
  }
  return url.href;
}
