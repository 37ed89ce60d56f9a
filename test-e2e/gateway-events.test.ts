import { channelEvents } from './gateway/channel-events.ts';
import { guildEvents } from './gateway/guild-events.ts';
import { privateEvents } from './gateway/private-events.ts';
import { useGateway } from './gateway/use-gateway.ts';
import { visibility } from './gateway/visibility.ts';
import { UNLIMITED, useSharedSuite } from './support/suite.ts';

const suite = useSharedSuite(UNLIMITED);
const gateway = useGateway(suite);

guildEvents(suite, gateway);
channelEvents(suite, gateway);
privateEvents(suite, gateway);
visibility(suite, gateway);
