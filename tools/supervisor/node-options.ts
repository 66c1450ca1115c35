/**
 * How much memory a service's process may take. Half of all that lives through a bulk request is still there when a
 * nursery of 4 MB is full, and is copied: one of 8 MB saves 6 to 9 % of the CPU for 5 MB a process, one of 16 MB costs
 * 14 MB more and saves no more. With a limit below 2 GB the heap grows by half instead of fourfold before it is
 * cleaned: a process that prints large pages stays at half its size. The image says the same.
 */
export const nodeOptions = '--max-semi-space-size=8 --max-old-space-size=1024';
