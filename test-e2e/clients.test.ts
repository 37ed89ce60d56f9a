import { codehostDeliveries } from './clients/codehost.ts';
import { discordWebhookClient } from './clients/discord.ts';
import { slackIncomingWebhook } from './clients/slack.ts';
import { useSuite } from './support/suite.ts';

const suite = useSuite();

discordWebhookClient(suite);
slackIncomingWebhook(suite);
codehostDeliveries(suite);
