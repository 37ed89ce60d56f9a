import { channelEvents } from './gateway/channel-events.ts';
import { guildEvents } from './gateway/guild-events.ts';
import { privateEvents } from './gateway/private-events.ts';
import { useGateway } from './gateway/use-gateway.ts';
import { visibility } from './gateway/visibility.ts';
import { UNLIMITED } from './oauth2/calls.ts';
import { useSuite } from './support/suite.ts';

const suite = useSuite(UNLIMITED);
const gateway = useGateway(suite);

guildEvents(suite, gateway);
channelEvents(suite, gateway);
privateEvents(suite, gateway);
visibility(suite, gateway);
