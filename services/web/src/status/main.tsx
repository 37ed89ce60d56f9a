import { mount } from '../shared/page.tsx';
import { StatusPage } from './status-page.tsx';

mount(<StatusPage />);
