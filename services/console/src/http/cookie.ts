/** The cookie of a session. Scripts cannot read it, and no other site can send it. */
const NAME = 'gatehouse_console';

/** @param is_secure whether browsers may send it over TLS only */
export function sessionCookie(token: string, is_secure: boolean): string {
  return `${NAME}=${token}; ${attributes(is_secure)}`;
}

export function endedCookie(is_secure: boolean): string {
  return `${NAME}=; ${attributes(is_secure)}; Max-Age=0`;
}

/** The token of a Cookie header; undefined if it has none, or two. */
export function tokenOfCookie(header: string | undefined): string | undefined {
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${NAME}=`));
  return found.length === 1 ? found[0]?.slice(NAME.length + 1) : undefined;
}

function attributes(is_secure: boolean): string {
  return `Path=/; HttpOnly; SameSite=Strict${is_secure ? '; Secure' : ''}`;
}
