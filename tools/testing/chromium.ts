import { existsSync } from 'node:fs';

/** Chromium without windows of its own draws and behaves like the other, at two thirds of the processor time. */
const USUAL = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The browser that tests and pictures are made with, whether it is there or not. */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? USUAL.find((one) => existsSync(one)) ?? USUAL[0]!;
