import { newId } from '../../support/guilds.ts';
import { as, messageOf } from '../../support/requests.ts';
import { chance, type Scene, type Steps } from './scene.ts';

export function messageSteps({ chat, owner, person, channel_id, old, messages }: Scene): Steps {
  return {
    createMessage: [
      10,
      async () => {
        const author = chance(0.5) ? owner : person;
        const { message } = await chat.createMessage(messageOf(channel_id, 'm'), as(author));
        messages.push({ author, channel_id, message_id: message?.id ?? '' });
      },
    ],
    updateMessage: [
      3,
      () =>
        chat.updateMessage(
          {
            channel_id: old?.channel_id ?? '1',
            message_id: old?.message_id ?? '1',
            content: { value: newId() },
          },
          as(old?.author ?? owner),
        ),
    ],
    deleteMessage: [
      1,
      () =>
        chat.deleteMessage(
          { channel_id: old?.channel_id ?? '1', message_id: old?.message_id ?? '1' },
          as(old?.author ?? owner),
        ),
    ],
    createWebhookMessage: [
      3,
      () =>
        chat.createWebhookMessage(
          { webhook_id: '77', channel_id, username: 'Deploys', embeds: [], content: 'w' },
          { timeoutMs: 20_000 },
        ),
    ],
  };
}

export function privateSteps({ chat, owner, person, group, people, groups }: Scene): Steps {
  return {
    openDirect: [1, () => chat.openPrivateChannel({ recipients: [person] }, as(owner))],
    closeDirect: [
      1,
      async () => {
        const { channel } = await chat.openPrivateChannel({ recipients: [person] }, as(owner));
        await chat.deleteChannel({ channel_id: channel?.id ?? '' }, as(person));
      },
    ],
    messageDirect: [
      2,
      async () => {
        const { channel } = await chat.openPrivateChannel({ recipients: [person] }, as(owner));
        await chat.createMessage(messageOf(channel?.id ?? '', 'd'), as(owner));
      },
    ],
    openGroup: [
      0.5,
      async () => {
        const recipients = people.filter((id) => id !== owner && chance(0.5)).slice(0, 9);
        if (recipients.length < 2) return;
        const { channel } = await chat.openPrivateChannel({ recipients }, as(owner));
        groups.push(channel?.id ?? '');
      },
    ],
    addRecipient: [2, () => chat.addRecipient({ channel_id: group, user_id: person }, as(owner))],
    removeRecipient: [1, () => chat.removeRecipient({ channel_id: group, user_id: person }, as(owner))],
    leaveGroup: [1, () => chat.deleteChannel({ channel_id: group }, as(person))],
    renameGroup: [
      1,
      () =>
        chat.updateChannel({ channel_id: group, name: newId(), topic: null, parent_id: null }, as(person)),
    ],
    messageGroup: [2, () => chat.createMessage(messageOf(group, 'g'), as(person))],
  };
}
