import { alertmanagerAlerts } from './clients/alertmanager.ts';
import { chatToolPayloads } from './clients/chat-tool-payloads.ts';
import { codehostDeliveries } from './clients/codehost.ts';
import { curlForms } from './clients/curl.ts';
import { discordWebhookClient } from './clients/discord.ts';
import { discordCore } from './clients/discord-core.ts';
import { oauth4webapi } from './clients/oauth4webapi.ts';
import { openidClient } from './clients/openid-client.ts';
import { passportOauth2 } from './clients/passport-oauth2.ts';
import { simpleOauth2 } from './clients/simple-oauth2.ts';
import { slackIncomingWebhook } from './clients/slack.ts';
import { statuspageNotifications } from './clients/statuspage.ts';
import { useSuite } from './support/suite.ts';

const suite = useSuite();

discordWebhookClient(suite);
discordCore(suite);
slackIncomingWebhook(suite);
alertmanagerAlerts(suite);
curlForms(suite);
chatToolPayloads(suite);
codehostDeliveries(suite);
statuspageNotifications(suite);
openidClient(suite);
oauth4webapi(suite);
simpleOauth2(suite);
passportOauth2(suite);
