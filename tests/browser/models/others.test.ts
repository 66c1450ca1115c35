import { testPages } from '../../support/browser/modelPages.ts';

testPages(({ app }) => app !== 'dcim');
