import { mount } from '../shared/page.tsx';
import { GuildList } from './guild-list.tsx';
import { GuildPage } from './guild-page.tsx';
import { guildIdOf } from './route.ts';

const id = guildIdOf(location.pathname);

mount(id === undefined ? <GuildList /> : <GuildPage id={id} />);
