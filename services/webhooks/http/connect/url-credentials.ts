/** A part of a URL as it was meant; what is not encoded rightly was meant as it stands. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** What the credentials in a URL are as a header. */
export const basic = ({ username, password }: URL): string =>
  `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
