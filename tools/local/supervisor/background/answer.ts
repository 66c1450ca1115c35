/** What the process answers. */
export type Answer = {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { name: string; message: string };
};
