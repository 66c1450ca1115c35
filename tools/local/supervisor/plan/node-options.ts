/** From this number of services on, a process has many requests under way at the same time. */
const MANY = 3;

/**
 * The memory limits of a process with a number of services. Half of all that lives through a bulk request is still
 * alive when a nursery of 4 MB is full, and is copied. For one service a nursery of 8 MB saves 6 to 9 % of the CPU for
 * 5 MB more, and one of 16 MB saves no more for another 14 MB; where all services share a process, that saves a further
 * 8 % of single creates. With a limit below 2 GB the heap grows by half instead of fourfold before it is cleaned: a
 * process that prints large pages stays at half its size. The image says the same, and so do its small forms.
 */
export const nodeOptions = (services: number): string =>
  `--max-semi-space-size=${services < MANY ? 8 : 16} --max-old-space-size=1024`;
