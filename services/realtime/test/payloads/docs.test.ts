import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventPayload, eventPayloadFor, type Payload } from '../../src/payloads/event-payload.ts';
import { guildPayload } from '../../src/payloads/guild-payload.ts';
import { userUpdate } from '../../src/payloads/user-payload.ts';
import { annInGuild, current, EVENTS, everyone, general, guild, LUNCH_EVENTS, users } from './samples.ts';

const page = readFileSync(new URL('../../../../docs/gateway.md', import.meta.url), 'utf8');

interface Frame {
  readonly op: number;
  readonly t: string;
  readonly d: unknown;
}

const frames: Frame[] = [...page.matchAll(/^```json\n(.*?)^```$/gms)]
  .map(([, block = '']) => JSON.parse(block))
  .filter(({ op }) => op === 0);

const shown = { row: guild, roles: [everyone], channels: [general], members: [annInGuild] } as const;
const received: readonly (Payload | undefined)[] = [
  { t: 'GUILD_CREATE', d: guildPayload(shown, users) },
  ...LUNCH_EVENTS.map((event) => eventPayloadFor(event, '1001', users)),
  ...EVENTS.filter(({ type }) => type !== 'CHANNEL_CREATE').map((event) => eventPayload(event, users)),
  userUpdate(current),
];

describe('the examples of docs/gateway.md', () => {
  it('cover every type of event', () => {
    const kinds = new Set(frames.map(({ t }) => t.replace(/_(?:CREATE|ADD|UPDATE)$/, '')));
    const all = received.map((payload) => payload?.t.replace(/_(?:CREATE|ADD|UPDATE)$/, ''));
    const removals = ['CHANNEL_DELETE', 'CHANNEL_RECIPIENT_REMOVE', 'INVITE_DELETE']; // as the members that they remove
    expect(new Set([...kinds, ...removals])).toEqual(new Set(all));
  });

  it.each(frames)('are the payloads that clients receive: $t', ({ t, d }) => {
    const text = received.find((payload) => payload?.t === t)?.d ?? 'null';
    expect(JSON.stringify(d)).toBe(text);
  });
});
