import { mkdir, readFile, writeFile } from 'node:fs/promises';
import mjml from 'mjml-core';
import preset from 'mjml-preset-core';

/** Compiles mail-templates/layout.mjml, so that the service runs without MJML. */
const SOURCE = new URL('../mail-templates/layout.mjml', import.meta.url);
const FOLDER = new URL('../src/generated/', import.meta.url);

/** MJML would refuse the places of Handlebars in attributes such as `align`. */
const OPTIONS = { validationLevel: 'skip', keepComments: false, presets: [preset] };

const { html } = await mjml.default(await readFile(SOURCE, 'utf8'), OPTIONS);
await mkdir(FOLDER, { recursive: true });
await writeFile(new URL('mail-layout.html', FOLDER), `${html.trim()}\n`);
