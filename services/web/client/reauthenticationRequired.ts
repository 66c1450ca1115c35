/** The API has refused a request until the user proves their identity again. */
export class ReauthenticationRequired extends Error {
  override readonly name = 'ReauthenticationRequired';
}
