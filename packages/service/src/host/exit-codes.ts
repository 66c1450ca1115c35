/** Exit code of a process whose configuration is wrong: starting it again would not help. */
export const configExitCode = 78;

/** Exit code of a process that found a port of its own in use. */
export const portTakenExitCode = 79;

/** Exit code of a process that found tables of a later version: starting it again would not help. */
export const newerSchemaExitCode = 80;
