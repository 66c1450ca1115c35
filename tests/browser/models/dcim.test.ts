import { testPages } from '../../support/modelPages.ts';

testPages(({ app }) => app === 'dcim');
