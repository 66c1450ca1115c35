/** A decoded part of a URL; one that is not correctly encoded is taken literally. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The Authorization header for the credentials in a URL. */
export const basic = ({ username, password }: URL): string =>
  `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
