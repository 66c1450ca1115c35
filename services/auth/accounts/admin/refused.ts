/** Why something cannot be done to an account, in a sentence for the operator. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
