import { invalidForm } from '@gatehouse/kit/fault';
import { describe, expect, it } from 'vitest';
import { readContractComments } from './contract-comments.ts';
import { statusOf } from './error-tables.ts';
import { errorsOf } from './rpc-errors.ts';

describe('the contracts’ comments', () => {
  const comments = readContractComments();

  it('are found on every service, RPC and message, and on fields', () => {
    expect(comments.get('gatehouse.chat.v1.ChatService')).toMatch(/^ChatService owns/);
    expect(comments.get('gatehouse.chat.v1.ChatService.GetGuild')).toMatch(/^GetGuild returns/);
    expect(comments.get('gatehouse.chat.v1.ListMessagesRequest.limit')).toBe(
      'Maximum number of messages, 1-100.',
    );
    expect(comments.get('gatehouse.chat.v1.EmbedInput.url')).toMatch(/http or https/);
  });

  it('give the errors of an RPC, one by one, and those of another where they refer to it', () => {
    const errors = (rpc: string) => errorsOf(comments, `gatehouse.${rpc}`);
    expect(errors('chat.v1.ChatService.GetGuild')).toEqual(['NOT_FOUND', 'MISSING_ACCESS']);
    expect(errors('webhook_delivery.v1.WebhookDeliveryService.ListGuildWebhooks')).toEqual(
      errors('chat.v1.ChatService.ListWebhookChannels'),
    );
    expect(errors('chat.v1.ChatService.ListWebhookChannels')).toContain('NOT_FOUND');
    expect(errors('auth.v1.AuthService.Logout')).toEqual([]);
    expect(errors('auth.v1.AuthService.EnableTotp')).toEqual([
      'INVALID_FORM_BODY (INVALID_FORMAT at `secret`, INVALID_MFA_CODE at `code`, a wrong proof)',
      'SUDO_MODE_REQUIRED',
      'BAD_REQUEST if TOTP is enabled already',
    ]);
  });

  it('know a code of an error from any other word', () => {
    expect([statusOf(invalidForm([]).reason), statusOf('NOT_FOUND'), statusOf('NOT_A_CODE')]).toEqual([
      400,
      404,
      undefined,
    ]);
  });
});
