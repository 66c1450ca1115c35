/**
 * A later version of Cadastre has changed tables in such a way that this version must not use them: what this one would
 * write is not what the later one expects. The message is one sentence that says what to do.
 */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
  /**
   * @param what what was changed, with the database's name
   * @param newest what was done there last
   * @param known the last of that kind that this program knows
   */
  constructor(what: string, newest: string, known: string) {
    super(
      `A later version of Cadastre has changed ${what} (there: ${newest}; this version knows: ${known}), so this one does not touch it: start that version or a newer one, or restore the backup from before the upgrade.`,
    );
  }
}
