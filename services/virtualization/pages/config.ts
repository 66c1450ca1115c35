import { configTabs } from '@cadastre/pages/config';

export const panels = configTabs('virtualization.virtualmachine');
