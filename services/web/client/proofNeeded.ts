/** The API has refused something until the user proves again who they are. */
export class ProofNeeded extends Error {
  override readonly name = 'ProofNeeded';
}
