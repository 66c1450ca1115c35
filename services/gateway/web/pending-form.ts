import { bodyLimits, type FormLimits, jsonOf, Refusal, type SizeLimits } from '@cadastre/body';
import { isResubmittable } from '@cadastre/service/web';
import type { Request } from 'express';
import { contextOf } from '../arrive/request-context.ts';
import { formOf } from './form.ts';

/** A form that was sent when its user's session had ended. */
export interface PendingForm {
  /** The page that the form was for. */
  to: string;
  fields: [name: string, value: string][];
}

/** Whether a page of ours has sent a form: browsers say so, and no page elsewhere can. */
export function sentFromHere(req: Request): boolean {
  const { origin } = req.headers;
  return typeof origin === 'string' && origin !== 'null' && origin === URL.parse(contextOf(req).base)?.origin;
}

/** The fields of a form, files left out; undefined for a body that is not a form, or is beyond a limit. */
export async function pendingFormOf(
  req: Request,
  most: SizeLimits['bytes'],
  form: FormLimits,
): Promise<PendingForm | undefined> {
  try {
    const given = await formOf(req, most, form);
    return given && { to: req.url, fields: given.fields.filter(([name]) => isResubmittable(name)) };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Limits for a list of pairs in which one text may be as long as the whole form. */
const KEPT = { ...bodyLimits.json, depth: 4, text: bodyLimits.size.bytes };

/** The pending form that a login form includes; undefined for anything else. */
export function parsePendingForm(text: string | null): PendingForm | undefined {
  if (!text) return undefined;
  try {
    const { to, fields } = (jsonOf(Buffer.from(text), KEPT).value ?? {}) as Partial<PendingForm>;
    const whole =
      typeof to === 'string' &&
      Array.isArray(fields) &&
      fields.every((one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string'));
    return whole ? { to, fields } : undefined;
  } catch {
    return undefined;
  }
}
