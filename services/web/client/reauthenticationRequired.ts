/** The API has refused something until the user proves again who they are. */
export class ReauthenticationRequired extends Error {
  override readonly name = 'ReauthenticationRequired';
}
