/** Set for a process that is started before what it needs is there. */
export const waitVariable = 'START_WHEN_TOLD';

/**
 * Resolves when the supervisor says that the process may start its services; at once without one that would. What was
 * loaded by then is time gained, as PostgreSQL takes a while to start.
 */
export async function told(): Promise<void> {
  if (!process.connected || process.env[waitVariable] === undefined) return;
  delete process.env[waitVariable];
  await new Promise<void>((resolve) => {
    // Nobody would ever tell it.
    const alone = (): never => process.exit(0);
    process.once('disconnect', alone);
    process.once('message', () => {
      process.off('disconnect', alone);
      resolve();
    });
  });
}
