/** What cannot be done to an account, in a sentence for whoever asked for it. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
