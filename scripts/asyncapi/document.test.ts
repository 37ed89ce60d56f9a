import { readFileSync } from 'node:fs';
import specification from '@asyncapi/specs/schemas/3.0.0.json' with { type: 'json' };
import { CloseCode, EVENT_NAMES, Op } from '@gatehouse/realtime/protocol';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { asyncApiText } from './document.ts';
import { rowsOf } from './rows-of.ts';

const TEXT = readFileSync(new URL('../../gateway/asyncapi.json', import.meta.url), 'utf8');
const document = JSON.parse(TEXT);
const messages: Record<
  string,
  { payload: { properties: Record<string, { const?: unknown }> }; examples?: [] }
> = document.components.messages;

describe('gateway/asyncapi.json', () => {
  it('is what `npm run generate` writes, twice the same', () => {
    expect(TEXT === asyncApiText(), 'run `npm run generate`').toBe(true);
    expect(asyncApiText()).toBe(asyncApiText());
  });

  it('is valid by the JSON schema of AsyncAPI 3.0', () => {
    const ajv = new Ajv({
      strict: false,
      allErrors: true,
      logger: false,
      meta: false, // the specification contains it
      validateSchema: false,
      formats: { uri: (text: string) => URL.canParse(text) },
    });
    const isValid = ajv.compile(specification);
    expect(isValid(document), ajv.errorsText(isValid.errors, { separator: '\n' })).toBe(true);
    const { action, ...rest } = document.operations.send;
    expect(isValid({ ...document, operations: { send: rest } }), `without ${action}`).toBe(false);
  });

  it('refers to existing parts alone', () => {
    const refs = [...TEXT.matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, path = '']) => path);
    expect(refs.length).toBeGreaterThan(100);
    for (const path of refs) expect(document, path).toHaveProperty(path.split('/'));
  });

  it('has every op, event and close code of realtime', () => {
    const consts = (name: string) =>
      Object.values(messages).map(({ payload }) => payload.properties[name]?.const);
    expect(new Set(consts('op'))).toEqual(new Set(Object.values(Op)));
    expect(consts('t').filter((t) => t !== undefined)).toEqual(EVENT_NAMES);
    const codes = document.channels.gateway['x-close-codes'].map(({ code }: { code: number }) => code);
    expect(codes).toEqual(Object.values(CloseCode).toSorted());
  });

  it('sends each message in one direction', () => {
    const refs = ['receive', 'send'].flatMap((name) => document.operations[name].messages);
    const names = refs.map(({ $ref }: { $ref: string }) => $ref.split('/').at(-1));
    expect(names.toSorted()).toEqual(Object.keys(messages).toSorted());
  });

  it('has examples that its schemas accept', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    ajv.addSchema(document, 'asyncapi.json');
    const examples = Object.entries(messages).flatMap(([name, message]) =>
      (message.examples ?? []).map(({ payload }) => ({ name, payload })),
    );
    expect(examples.length).toBeGreaterThan(15);
    for (const { name, payload } of examples) {
      const isValid = ajv.getSchema(`asyncapi.json#/components/messages/${name}/payload`);
      expect(isValid?.(payload), `${name}: ${ajv.errorsText(isValid?.errors)}`).toBe(true);
    }
  });
});

describe('docs/gateway.md', () => {
  const page = readFileSync(new URL('../../docs/gateway.md', import.meta.url), 'utf8');
  /** The first cells of the table below a heading. */
  const firstCells = (heading: string) => {
    const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
    return [...section.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, cell = '']) => cell).slice(2);
  };

  it('has every op, and every event that is not of the session itself', () => {
    expect(firstCells('Frames').map(Number)).toEqual(Object.values(Op));
    const names = firstCells('Events').flatMap((cell) => cell.split(', '));
    expect(['READY', 'RESUMED', ...names].toSorted()).toEqual([...EVENT_NAMES].toSorted());
  });
});

describe('the build names', () => {
  it('an entry without a description, and a description without an entry', () => {
    expect(rowsOf('event', ['A'], { A: 1 })).toEqual([['A', 1]]);
    expect(() => rowsOf('event', ['A', 'B'], { A: 1 })).toThrow(
      'event B of realtime has no description in scripts/asyncapi',
    );
    expect(() => rowsOf('close code', [], { A: 1 })).toThrow('realtime has no close code A');
  });
});
