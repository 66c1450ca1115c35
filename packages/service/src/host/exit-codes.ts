/** Exit code of a process whose configuration is wrong: starting it again would not help. */
export const configExitCode = 78;

/** Exit code of a process one of whose ports is already in use. */
export const portTakenExitCode = 79;

/** Exit code of a process that found tables of a later version: starting it again would not help. */
export const newerSchemaExitCode = 80;
