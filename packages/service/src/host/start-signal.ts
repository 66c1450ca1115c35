/** Set for a process that is started before what it needs is there. */
export const waitVariable = 'START_WHEN_TOLD';

/**
 * Resolves when the supervisor says that the process may start its services; at once if it need not wait. Loading code
 * meanwhile saves time, as PostgreSQL takes a while to start. If the supervisor dies, the process ends.
 */
export async function startSignal(): Promise<void> {
  if (process.env[waitVariable] === undefined) return;
  delete process.env[waitVariable];
  // The signal would never come.
  const alone = (): never => process.exit(0);
  if (!process.connected) alone();
  await new Promise<void>((resolve) => {
    process.once('disconnect', alone);
    process.once('message', () => {
      process.off('disconnect', alone);
      resolve();
    });
  });
}
