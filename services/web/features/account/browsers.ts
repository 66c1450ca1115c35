/** Names of browsers and their signs in `User-Agent`. The first match counts, as most browsers also name others. */
const BROWSERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\/|\bOpera\b/],
  ['Vivaldi', /\bVivaldi\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|HeadlessChrome|CriOS|Chromium)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
];
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
];

/** A browser and its system, as far as the browser names them. */
export interface Browser {
  name: string | undefined;
  system: string | undefined;
}

/** The browser and the system that a `User-Agent` names. */
export function browserOf(said: string): Browser {
  const found = (all: typeof BROWSERS) => all.find(([, sign]) => sign.test(said))?.[0];
  // Other programs usually send only a name and a version.
  return { name: found(BROWSERS) ?? /^([\w.-]{1,40})\/[\d.]+/.exec(said)?.[1], system: found(SYSTEMS) };
}
