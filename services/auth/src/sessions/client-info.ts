import type { ClientInfo } from '@gatehouse/proto/auth';

/** Returns the User-Agent parser. The library is loaded on first use. */
export async function loadUserAgentParser(): Promise<(user_agent: string | null) => ClientInfo> {
  const { default: bowser } = await import('bowser');
  return (user_agent) => {
    const text = user_agent?.slice(0, MAX_READ).trim() ?? '';
    if (text === '') return { os: null, browser: null };
    const parser = bowser.getParser(text);
    return { os: name(parser.getOSName()), browser: name(parser.getBrowserName()) ?? product(text) };
  };
}

/** A readable name of the client, such as "Firefox on Linux". */
export async function clientText(user_agent: string): Promise<string> {
  const clientInfo = await loadUserAgentParser();
  const { browser, os } = clientInfo(user_agent);
  const known = [browser, os].filter((name) => name != null);
  return known.length === 0 ? 'unknown' : known.join(' on ');
}

/** The rest of a longer User-Agent is ignored. */
const MAX_READ = 512;

/** For an unknown client, bowser's name may be any part of the text. */
function name(text: string | undefined): string | null {
  return text !== undefined && /^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,63}$/.test(text) ? text : null;
}

/** The first product of a User-Agent (RFC 9110 §10.1.5), for clients that are not browsers. */
function product(user_agent: string): string | null {
  return name(/^[^/ ]+/.exec(user_agent)?.[0]);
}
