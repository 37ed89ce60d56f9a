/**
 * Returns why a setting is not a URL of one of these protocols; undefined if it is one. The text follows the
 * variable's name, and contains nothing of the value, which may be secret.
 */
export function urlProblem(text: string, protocols: readonly string[]): string | undefined {
  const mayHaveLogin = !protocols.includes('https');
  const problem =
    (mayHaveLogin && loginProblem(text)) || (protocols.includes('postgres') && postgresProblem(text));
  if (problem) return problem;
  const url = /[\t\r\n]/.test(text) ? null : URL.parse(text); // URL drops these characters, other parsers do not
  const hasProtocol = protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}://`));
  if (url === null && hasProtocol) return BAD_HOST_OR_PORT;
  if (url === null || !protocols.includes(url.protocol.slice(0, -1)))
    return `must be a URL that begins with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`;
  return [url.username, url.password, url.pathname].every(decodes) ? undefined : BAD_ESCAPE;
}

const BAD_ESCAPE = 'has a % that starts no escape: in user and password write % as %25';
const BAD_HOST_OR_PORT =
  'has an invalid host or port, or a tab or line break: a port is a number up to 65535, and an IPv6 address stands in [ ]';

function loginProblem(text: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(text)) return BAD_ESCAPE;
  const { authority, rest } = parts(text);
  const withoutParameters = rest.replaceAll(/[?&][a-z_]+=[^&]*/gi, '');
  if (authority === '' || authority.includes('@') || !withoutParameters.includes('@')) return undefined;
  return 'has an @ after its host: in user and password write / as %2F, ? as %3F and # as %23';
}

/** Parameters of libpq that choose a server or a login. pg ignores them, and would silently connect elsewhere. */
const IGNORED_BY_PG = [
  'dbname',
  'hostaddr',
  'load_balance_hosts',
  'passfile',
  'service',
  'servicefile',
  'target_session_attrs',
];
const ONE_SERVER =
  'names several servers, and only one is possible: name an address that leads to the primary (docs/database.md)';

/** libpq accepts forms that pg and WHATWG URLs do not. */
function postgresProblem(text: string): string | undefined {
  const { authority, rest } = parts(text);
  const server = authority.slice(authority.lastIndexOf('@') + 1);
  const parameters = new URLSearchParams(rest.split('#')[0]?.split('?')[1]);
  const hosts = parameters.getAll('host');
  if (server.includes(',') || hosts.length > 1 || hosts.some((host) => host.includes(','))) return ONE_SERVER;
  if (server === '' && authority !== '')
    return 'has a user but no host: with host= as a parameter, user= and password= must be parameters too';
  if (parameters.getAll('port').some((port) => !/^[0-9]{1,5}$/.test(port)))
    return 'has a port= that is not a port';
  const unknown = IGNORED_BY_PG.find((name) => parameters.has(name));
  return unknown && `has the parameter ${unknown}=, which libpq knows and this stack does not`;
}

function parts(text: string): { authority: string; rest: string } {
  const [, authority = '', rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  return { authority, rest };
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
