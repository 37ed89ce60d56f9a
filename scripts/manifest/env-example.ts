import { declaredSettings, type Setting } from '@gatehouse/kit/env';
import { SERVICE_NAMES } from '@gatehouse/proto/services';
import { readSettings } from '@gatehouse/stack/settings';
import { withBlock } from './block.ts';
import { defaultOf, meaningOf, once, settingsOf, textOf } from './settings.ts';
import { concatenate } from './text.ts';

const WIDTH = 120;

/**
 * .env.example with every setting of `npm start` and of the processes. Each setting is in the first matching section.
 */
export function withEverySetting(example: string): string {
  const ofServices = SERVICE_NAMES.map((name) => ({ title: name, settings: settingsOf(name) }));
  const readers = (name: string): number =>
    ofServices.filter(({ settings }) => settings.some((setting) => setting.name === name)).length;
  const all = once(ofServices.flatMap(({ settings }) => settings));
  const sections = [
    { title: 'npm start', settings: once(declaredSettings(readSettings)) },
    { title: 'every process', settings: all.filter(({ name }) => readers(name) === SERVICE_NAMES.length) },
    { title: 'several processes', settings: all.filter(({ name }) => readers(name) > 1) },
    ...ofServices,
  ];
  const written = new Set<string>();
  const texts = sections.map(({ title, settings }) => {
    const own = settings.filter(({ name }) => !written.has(name));
    for (const { name } of own) written.add(name);
    return `# --- ${title}\n${concatenate(own.map(entry))}`;
  });
  return withBlock(example, 'settings', texts.join('\n'));
}

function entry(setting: Setting): string {
  const { name, example, unset, default: fallback } = setting;
  const value = example ?? (unset !== undefined || fallback === undefined ? '' : textOf(fallback));
  const words = `${meaningOf(setting)}${value === '' || example !== undefined ? `; unset: ${defaultOf(setting)}` : ''}`;
  return `# ${name}=${value}\n${wrapped(words)}`;
}

/** Comment lines, indented after the `#`. */
function wrapped(text: string): string {
  const lines: string[] = [];
  let line = '#    ';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = '#    ';
    }
    line += ` ${word}`;
  }
  return concatenate([...lines, line].map((one) => `${one}\n`));
}
