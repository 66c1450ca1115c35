import { describe, test } from '@jest/globals';
import { type Recording, recordings } from './recordings.ts';

/** Runs tests for each recording of a NetBox that lies beside the project. Without one, they are skipped and say so. */
export function eachRecording(title: string, tests: (recording: Recording) => void): void {
  const found = recordings();
  if (found.length) describe.each(found)(title, tests);
  else test.skip(`${title.replace('$name', 'a real NetBox')}: skipped, ../shared/netbox-4.6 is not there`, () => {});
}
