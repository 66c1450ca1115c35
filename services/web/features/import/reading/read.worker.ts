// The program of a worker that reads texts of import pages.
import { serve } from '@cadastre/templates/worker';
import { found, type ReadJobs } from './reading.ts';

/** How often a worker reports its progress, in milliseconds. */
const EVERY = 250;

serve({
  read: {
    run(job: ReadJobs['read']['job'], tell: (word: unknown) => void) {
      let last = performance.now();
      return found(job, (rows) => {
        const now = performance.now();
        if (now - last < EVERY) return;
        last = now;
        tell(rows);
      });
    },
    mayRunLong: () => true,
  },
});
