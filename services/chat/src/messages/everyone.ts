/**
 * A letter, digit or mark of a script that parts words with blanks. Chinese, Japanese and some scripts of
 * South-East Asia do not: a mention directly beside their letters is a word of its own.
 */
const LETTER = String.raw`[[\p{L}\p{Nd}\p{Mn}\p{Mc}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Yi}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{Variation_Selector}]]`;
/** Low lines belong to a word only beside a letter: around a mention they are markup. */
const WORD = String.raw`(?:${LETTER}|_)`;

/** What follows the mention in the address of a host, of an account at another server, or of a package. */
const ADDRESS_GOES_ON = [
  String.raw`(?:-(?:${WORD}|-)*)?\.${WORD}`, // @everyone.example, @here-mail.example
  String.raw`:(?:${WORD}|-)+\.${WORD}`, // @here:example.org
  `@${WORD}`, // @everyone@example.org
  String.raw`[\/\\][^\s@]`, // @here/package
].join('|');

const MENTION = new RegExp(
  String.raw`(?<!${LETTER}_*|[\/\\])@(?:everyone|here)(?!_*${LETTER}|${ADDRESS_GOES_ON})`,
  'gv',
);

const SCHEME = String.raw`(?<![a-z\d+.\-])[a-z][a-z\d+.\-]*:\/\/|\b(?:mailto|sips?|xmpp|acct|matrix|tel|data|urn):`;
/** A host without a scheme, where a path, a query or a fragment follows. */
const HOST = String.raw`(?<![\p{L}\p{Nd}.\-])(?:[\p{L}\p{Nd}\-]+\.)+[\p{L}\p{Nd}\-]+(?::\d+)?[\/?#]`;
/** A URL ends before a blank, a quote, or punctuation of Chinese and Japanese, and before a bracket that closes it. */
const REST = String.raw`(?:[^\s<>"\x60()\[\]\{\}。，、；：！？「」『』【】（）《》]|[()\[\]\{\}](?=[\p{L}\p{Nd}\/?#&=.%\-]))*`;
const URL = new RegExp(`(?:${SCHEME}|${HOST})${REST}`, 'giu');

/** Whether a text has @everyone or @here as a word of its own, outside of all addresses (docs/guilds.md#mention-everyone). */
export function namesEveryone(text: string): boolean {
  const mentions = Array.from(text.matchAll(MENTION), ({ index }) => index);
  if (mentions.length === 0) return false;
  const urls = Array.from(text.matchAll(URL), ({ index, 0: url }) => ({
    from: index,
    to: index + url.length,
  }));
  return mentions.some((at) => !urls.some(({ from, to }) => from <= at && at < to));
}
