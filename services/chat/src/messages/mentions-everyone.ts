/**
 * A letter, digit or mark of a script that separates words by spaces. Chinese, Japanese and some scripts of South-East
 * Asia do not: a mention next to their letters is a word of its own.
 */
const LETTER = String.raw`[[\p{L}\p{Nd}\p{Mn}\p{Mc}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Yi}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{Variation_Selector}]]`;
/** Underscores belong to a word only next to a letter. Around a mention they are markup. */
const WORD = `(?:${LETTER}|_)`;
const LABEL_GOES_ON = `(?:-(?:${WORD}|-)*)?`;

/** The text before the @ of a mail address or a path. Two hyphens are a dash. */
const ADDRESS_BEGINS = String.raw`${LETTER}(?:_*|[+\-])|[\/\\]`;
/** The text after the mention in an address of a host, of an account at another server, or of a package. */
const ADDRESS_GOES_ON = [
  String.raw`${LABEL_GOES_ON}\.${WORD}`, // @everyone.example, @here-mail.example
  String.raw`${LABEL_GOES_ON}[\/\\][^\s@]`, // @here/package, @here-team/package
  String.raw`:(?:${WORD}|-)+\.${WORD}`, // @here:example.org
  String.raw`:\p{L}(?:${WORD}|-)*:\d{3}`, // @here:server:8448
  `:localhost(?!${WORD}|-)`,
  String.raw`:\d{2,5}\/`, // @here:8080/path
  String.raw`:\[[\dA-Fa-f:.]+\]`, // @here:[::1]
  `@${WORD}`, // @everyone@example.org
].join('|');

/** The lookbehind comes last: tried at each character it would be slow. */
const MENTION = new RegExp(
  `@(?:everyone|here)(?!_*${LETTER}|${ADDRESS_GOES_ON})(?<!(?:${ADDRESS_BEGINS})@(?:everyone|here))`,
  'gv',
);

/** Schemes whose URLs need no `//`. Other words before a colon are plain text, as in `hey:@everyone`. */
const OPAQUE_SCHEMES =
  'acct|bitcoin|blob|callto|cid|data|did|ethereum|facetime|geo|javascript|magnet|mailto|matrix|mid|news|nostr|pkg|sips?|skype|sms|spotify|tel|urn|view-source|xmpp';
const SCHEME = String.raw`(?<![a-z\d+.\-])[a-z][a-z\d+.\-]*:\/\/|\b(?:${OPAQUE_SCHEMES}):`;
const LABEL = String.raw`[\p{L}\p{Nd}\-]+`;
/** A host without a scheme, before a path, a query or a fragment. A name without dots needs a port and a path. */
const HOST = [
  String.raw`(?<![\p{L}\p{Nd}.\-])(?:(?:${LABEL}\.)+${LABEL}|localhost)(?::\d+)?[\/?#]`,
  String.raw`(?<![\p{L}\p{Nd}.\-])\p{L}[\p{L}\p{Nd}\-]*:\d{3,5}\/`,
  String.raw`\[[\da-f.]*:[\da-f:.]*\](?::\d+)?[\/?#]`,
].join('|');
const URL_BEGINS = new RegExp(`${SCHEME}|${HOST}`, 'giu');

const URL_ENDS = /[\s<>"`。，、；：！？「」『』【】（）《》]/u;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const CLOSES = /[)\]}]/;
/** A closing bracket without an opening one belongs to the URL if one of these follows. */
const URL_GOES_ON = /^[\p{L}\p{Nd}/?#&=.%-]/u;

/** Whether a text has @everyone or @here as a separate word, outside of addresses (docs/guilds.md#mention-everyone). */
export function mentionsEveryone(text: string): boolean {
  const mentions = Array.from(text.matchAll(MENTION), ({ index }) => index);
  if (mentions.length === 0) return false;
  const urls = urlsOf(text);
  return mentions.some((at) => !urls.some(({ from, to }) => from <= at && at < to));
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function urlsOf(text: string): readonly Range[] {
  const urls: Range[] = [];
  let end = 0;
  for (const { index } of text.matchAll(URL_BEGINS)) {
    if (index < end) continue; // inside the previous one
    end = endOfUrl(text, index);
    urls.push({ from: index, to: end });
  }
  return urls;
}

/** A URL ends before a space, a quote, CJK punctuation, or a bracket that closes it. */
function endOfUrl(text: string, from: number): number {
  const open: string[] = [];
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (URL_ENDS.test(char)) return at;
    const closing = CLOSING[char];
    if (closing !== undefined) open.push(closing);
    else if (CLOSES.test(char)) {
      if (open.at(-1) === char) open.pop();
      else if (!URL_GOES_ON.test(text.slice(at + 1, at + 3))) return at;
    }
  }
  return text.length;
}
