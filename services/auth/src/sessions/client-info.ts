import type { ClientInfo } from '@gatehouse/proto/auth';

/** Makes what reads User-Agents; the library is loaded when somebody first looks. */
export async function openClientInfo(): Promise<(user_agent: string | null) => ClientInfo> {
  const { default: bowser } = await import('bowser');
  return (user_agent) => {
    const text = user_agent?.slice(0, MAX_READ).trim() ?? '';
    if (text === '') return { os: null, browser: null };
    const parser = bowser.getParser(text);
    return { os: name(parser.getOSName()), browser: name(parser.getBrowserName()) ?? product(text) };
  };
}

/** A client as people call it: "Firefox on Linux". */
export async function clientText(user_agent: string): Promise<string> {
  const clientInfo = await openClientInfo();
  const { browser, os } = clientInfo(user_agent);
  const known = [browser, os].filter((name) => name != null);
  return known.length === 0 ? 'unknown' : known.join(' on ');
}

/** Longer ones say nothing more, and cost more to read. */
const MAX_READ = 512;

/** Of a client it does not know, bowser's name may be any part of the text. */
function name(text: string | undefined): string | null {
  return text !== undefined && /^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,63}$/.test(text) ? text : null;
}

/** What a program that is no browser calls itself: the first product (RFC 9110, section 10.1.5). */
function product(user_agent: string): string | null {
  return name(/^[^/ ]+/.exec(user_agent)?.[0]);
}
