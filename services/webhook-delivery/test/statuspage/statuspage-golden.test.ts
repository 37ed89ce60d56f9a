import { readdirSync, readFileSync } from 'node:fs';
import type { EmbedInput } from '@gatehouse/proto/chat';
import { describe, expect, it } from 'vitest';
import { messageFaults } from '../fixtures/message-faults.ts';
import { embedOf } from './statuspage-fixtures.ts';

/** Notifications from the documentation of two status page products, and their renderings. */
const FOLDER = new URL('../golden/statuspage/', import.meta.url);
const files = readdirSync(FOLDER);

describe('a notification from the documentation of a product', () => {
  it.each(files)('%s becomes the embed in its file', (file) => {
    const golden: { payload: object; embed: EmbedInput } = JSON.parse(
      readFileSync(new URL(file, FOLDER), 'utf8'),
    );
    const embed = embedOf(golden.payload);
    expect(embed).toEqual(golden.embed);
    expect(messageFaults({ embeds: [embed] })).toEqual([]);
  });

  it('exists for incidents, maintenances and components of two products', () => {
    expect(files).toHaveLength(6);
  });
});
