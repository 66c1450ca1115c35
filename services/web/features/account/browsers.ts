/** How browsers call themselves: the first that fits, as most say the names of others, too. */
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

/** What people know a browser by, of how it calls itself (`User-Agent`). */
export function browserOf(said: string): Browser {
  const found = (all: typeof BROWSERS) => all.find(([, sign]) => sign.test(said))?.[0];
  // Programs say a name and a version, and no more.
  return { name: found(BROWSERS) ?? /^([\w.-]{1,40})\/[\d.]+/.exec(said)?.[1], system: found(SYSTEMS) };
}
