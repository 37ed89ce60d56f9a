import { type Channel, type Embed, type Guild, type Message, nameOf, type Run, runsOf } from './picture.ts';

/** The channel and the lines of its guild's log as a page: no script, nothing loaded, all text escaped. */
export function htmlPicture(guild: Guild, channel: Channel, messages: Message[], log: string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>#${escaped(channel.name)} · ${escaped(guild.name)}</title>
<style>${STYLE}</style>
<header><b>#${escaped(channel.name)}</b> <span>${escaped(guild.name)}</span></header>
<main>
${runsOf(messages).map(runHtml).join('\n')}
<h2>Audit log</h2>
<ul>${log.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>
</main>
</html>
`;
}

function runHtml({ author, timestamp, first, hidden, last }: Run): string {
  const name = nameOf(author);
  const more =
    hidden.length === 0
      ? ''
      : `<details><summary>${hidden.length} more like these</summary>${hidden.map(messageHtml).join('')}</details>`;
  return `<article>
<div class="avatar" style="background:hsl(${hueOf(author.id + name)} 45% 45%)">${escaped(initialsOf(name))}</div>
<div><h2>${escaped(name)}${author.bot ? ' <i>BOT</i>' : ''} <time>${escaped(timestamp.slice(0, 19).replace('T', ' '))}</time></h2>
${first.map(messageHtml).join('')}${more}${last.map(messageHtml).join('')}
</div></article>`;
}

function messageHtml({ content, embeds }: Message): string {
  return `${content === '' ? '' : `<p>${richText(content)}</p>`}${embeds.map(embedHtml).join('')}`;
}

function embedHtml({ color, author, title, url, description, fields = [], footer }: Embed): string {
  const bar = `#${(color ?? 0x4f545c).toString(16).padStart(6, '0')}`;
  const parts = [
    author && `<small>${linked(escaped(author.name), author.url)}</small>`,
    title && `<h3>${linked(escaped(title), url)}</h3>`,
    description && `<p>${richText(description)}</p>`,
    fields.length > 0 && `<dl>${fields.map(fieldHtml).join('')}</dl>`,
    footer && `<small>${escaped(footer.text)}</small>`,
  ];
  return `<section style="border-color:${bar}">${parts.filter(Boolean).join('')}</section>`;
}

function fieldHtml({ name, value, inline }: { name: string; value: string; inline?: boolean }): string {
  return `<div${inline ? ' class="inline"' : ''}><dt>${escaped(name)}</dt><dd>${richText(value)}</dd></div>`;
}

/** Escaped text in which `code` and [labelled](https://links) are drawn as such. */
function richText(text: string): string {
  return escaped(text)
    .replace(/\[([^\]\n]+)\]\((https?:&#x2F;&#x2F;[^\s)`]+)\)/g, '<a href="$2" rel="noreferrer">$1</a>')
    .replace(/`([^`\n]+)`/g, '<code>$1</code>');
}

function linked(html: string, url: string | undefined): string {
  return url !== undefined && /^https?:\/\//i.test(url)
    ? `<a href="${escaped(url)}" rel="noreferrer">${html}</a>`
    : html;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '/': '&#x2F;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"'/]/g, (character) => ENTITIES[character] ?? character);
}

function initialsOf(name: string): string {
  const words = name.trim().split(/[\s_.-]+/);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');
}

function hueOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return hash;
}

const STYLE = `
:root { color-scheme: dark; }
body { margin: 0; background: #313338; color: #dbdee1; font: 15px/1.4 system-ui, sans-serif; }
header { position: sticky; top: 0; padding: 14px 20px; background: #2b2d31; border-bottom: 1px solid #1e1f22; }
header span, time, small, summary { color: #949ba4; font-size: 12px; }
main { max-width: 820px; padding: 12px 20px 40px; }
article { display: grid; grid-template-columns: 40px 1fr; gap: 16px; padding: 10px 0; }
.avatar { width: 40px; height: 40px; border-radius: 50%; display: grid; place-items: center; color: #fff; font-weight: 600; }
h2 { margin: 0; font-size: 15px; }
h2 i { font: 600 10px system-ui; background: #5865f2; color: #fff; border-radius: 3px; padding: 1px 4px; vertical-align: 2px; }
time { font-weight: 400; margin-left: 4px; }
h3 { margin: 2px 0; font-size: 15px; }
p { margin: 2px 0; white-space: pre-wrap; overflow-wrap: anywhere; }
section { border-left: 4px solid; border-radius: 4px; background: #2b2d31; padding: 8px 14px; margin: 6px 0; max-width: 520px; }
dl { margin: 6px 0; display: flex; flex-wrap: wrap; gap: 6px 24px; }
dl div { flex-basis: 100%; } dl .inline { flex-basis: auto; }
dt { font-weight: 600; font-size: 13px; } dd { margin: 0; }
a { color: #00a8fc; text-decoration: none; } a:hover { text-decoration: underline; }
code { background: #1e1f22; border-radius: 3px; padding: 1px 4px; font-size: 13px; }
main > h2 { margin-top: 24px; }
ul { margin: 6px 0; padding-left: 20px; color: #949ba4; }
summary { cursor: pointer; padding: 2px 0; }
`;
