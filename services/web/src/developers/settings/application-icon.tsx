import type { Application } from '@gatehouse/proto/oauth2';
import { call } from '../../shared/api/api.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { iconUrl } from '../../shared/icon-url.ts';
import { PictureField } from '../picture-field.tsx';
import type { TabProps } from '../tab-props.ts';

export function ApplicationIcon({ application: { id, icon }, onChange }: TabProps) {
  return (
    <PictureField
      label={i18n._('Icon')}
      src={iconUrl(id, icon)}
      alt={i18n._('The application')}
      hint={i18n._('People see it when they are asked to allow the application.')}
      member="icon"
      save={async (picture) =>
        onChange(await call<Application>('PATCH', `/oauth2/applications/${id}`, { icon: picture }))
      }
    />
  );
}
