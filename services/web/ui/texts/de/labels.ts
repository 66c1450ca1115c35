import type { Labels } from '../en/shape.ts';
import { choices } from './labels/choices.ts';
import { fields } from './labels/fields.ts';
import { help } from './labels/help.ts';
import { models } from './labels/models.ts';
import { titles } from './labels/titles.ts';

/** Deutsche Namen, wie Netzwerker sie brauchen; was fehlt, wird englisch gesagt. */
export const labels: Labels = { lower: false, models, titles, fields, choices, help };
