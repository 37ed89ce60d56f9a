import type { Clients } from '../clients.ts';
import type { Role } from '../role.ts';
import { ACTION_TIMEOUT, type Action, type ActionBy, readId } from './action.ts';

/** What disabling and enabling answer. */
interface Switched {
  readonly before?: unknown;
  readonly after?: unknown;
  /** Services that have not confirmed it yet. */
  readonly pending?: readonly string[];
}

interface Switch {
  readonly noun: 'application' | 'webhook' | 'guild';
  readonly role: Role;
  readonly disable: (clients: Clients, id: string, by: ActionBy) => Promise<Switched>;
  readonly enable: (clients: Clients, id: string, by: ActionBy) => Promise<Switched>;
}

const SWITCHES: readonly Switch[] = [
  {
    noun: 'application',
    role: 'admin',
    disable: ({ oauth2 }, application_id, by) =>
      oauth2.disableApplication({ application_id, ...by }, ACTION_TIMEOUT),
    enable: ({ oauth2 }, application_id, by) =>
      oauth2.enableApplication({ application_id, ...by }, ACTION_TIMEOUT),
  },
  {
    noun: 'webhook',
    role: 'support',
    disable: ({ webhooks }, webhook_id, by) => webhooks.disableWebhook({ webhook_id, ...by }, ACTION_TIMEOUT),
    enable: ({ webhooks }, webhook_id, by) => webhooks.enableWebhook({ webhook_id, ...by }, ACTION_TIMEOUT),
  },
  {
    noun: 'guild',
    role: 'admin',
    disable: ({ chat }, guild_id, by) => chat.disableGuild({ guild_id, ...by }, ACTION_TIMEOUT),
    enable: ({ chat }, guild_id, by) => chat.enableGuild({ guild_id, ...by }, ACTION_TIMEOUT),
  },
];

/** Disabling and enabling, at /api/NOUNs/:id/disable and /enable. */
export const SWITCH_ACTIONS: readonly Action[] = SWITCHES.flatMap(({ noun, role, ...calls }) =>
  (['disable', 'enable'] as const).map(
    (verb): Action => ({
      name: `${noun}.${verb}`,
      role,
      method: 'POST',
      path: `/api/${noun}s/:id/${verb}`,
      reason: 'required',
      read: (form, request) => {
        const id = readId(form, request);
        return {
          target: `${noun}:${id}`,
          run: async ({ clients }, by) => {
            const answer = await calls[verb](clients, id, by);
            const { before, after, pending } = answer;
            return { answer, before, after, ...(pending !== undefined && { detail: { pending } }) };
          },
        };
      },
    }),
  ),
);
