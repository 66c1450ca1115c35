/** The directory cannot be asked; what it would have said is not known. The message is for the log and has no secrets. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  readonly server: string;
  constructor(server: string, reason: string) {
    super(`${server}: ${reason}`);
    this.server = server;
  }
}
