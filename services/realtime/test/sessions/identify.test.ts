import { describe, expect, test } from 'vitest';
import { ANN, chatOf, GENERAL, message, OWNER } from '../support/cast.ts';
import { replica } from '../support/replica.ts';
import { scriptedAuth } from '../support/scripted-auth.ts';
import { scriptedChat } from '../support/scripted-chat.ts';
import { until } from '../support/until.ts';

describe('Identify', () => {
  test('gives READY, and then what happens', async () => {
    const [chat, auth] = await Promise.all([scriptedChat(chatOf(OWNER, ANN)), scriptedAuth()]);
    const here = await replica(chat, auth);
    const ann = await here.identify(auth.token(ANN, '501'));
    expect(ann.sent[0]).toMatchObject({ s: 1, t: 'READY', d: { user: { id: ANN }, guilds: [{ id: '11' }] } });
    chat.write(message(GENERAL));
    await until(() => ann.sent.length === 2);
    expect(ann.told()).toEqual(['1 READY', '2 MESSAGE_CREATE']);
  });
});
