/** The login of a database URL. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

/** Returns undefined unless the URL has both user and password. */
export function loginOf(database_url: string): Login | undefined {
  const url = new URL(database_url);
  // pg reads parameters first.
  const user = url.searchParams.get('user') || decodeURIComponent(url.username);
  const password = url.searchParams.get('password') || decodeURIComponent(url.password);
  return user === '' || password === '' ? undefined : { user, password };
}

/** Replaces the login of a URL. */
export function withLogin(database_url: string, { user, password }: Login): string {
  const url = new URL(database_url);
  url.searchParams.delete('user');
  url.searchParams.delete('password');
  if (url.hostname === '') {
    // With a socket folder as a parameter the URL has no host, and so cannot carry a user before it.
    url.searchParams.set('user', user);
    url.searchParams.set('password', password);
  } else {
    url.username = encodeURIComponent(user);
    url.password = encodeURIComponent(password);
  }
  return url.href;
}
