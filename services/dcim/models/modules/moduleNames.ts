// Names of components that come with a module may contain its position: `{module}` stands for the position of its bay.
import type { RuleContext, Values } from '@cadastre/model';

const TOKEN = '{module}';

export const namesPlace = (text: string): boolean => text.includes(TOKEN);

/** What is wrong with a name, for the client. */
export class Unresolvable extends Error {}

/**
 * A text with positions in place of tokens; `positions` are those of the bays from the outermost down. One token stands
 * for the innermost bay, several for all of them. @throws Unresolvable
 */
export function resolved(text: string, positions: readonly string[]): string {
  const parts = text.split(TOKEN);
  const tokens = parts.length - 1;
  if (!tokens || !positions.length) return text;
  if (tokens !== 1 && tokens !== positions.length)
    throw new Unresolvable(
      `Cannot install module with placeholder values in a module bay tree ${positions.length} levels deep but ${tokens} placeholders given.`,
    );
  const used = tokens === 1 ? positions.slice(-1) : positions;
  return parts.map((part, i) => part + (used[i] ?? '')).join('');
}

/** Positions of a bay and of those that it is in, from the outermost down. */
export async function positionsOf(bay: Values | null, { related }: Pick<RuleContext, 'related'>): Promise<string[]> {
  const positions: string[] = [];
  const seen = new Set<unknown>();
  for (let at = bay; at && !seen.has(at['id']); ) {
    seen.add(at['id']);
    positions.unshift(String(at['position'] ?? ''));
    at = await related('dcim.modulebay', (await related('dcim.module', at['module']))?.['module_bay']);
  }
  return positions;
}
