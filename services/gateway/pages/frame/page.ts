/** What a page answers: a template and what it shows, where to go on, or something for a program. */
export type Answer =
  | { view: string; title: string; data: Record<string, unknown>; status?: number }
  | { to: string }
  | { json: unknown; status: number };

/** A page that redirects: our content security policy restricts form submissions, redirects included, to this host. */
export const leaving = (to: string, title: string, text: string): Answer => ({
  view: 'leaving',
  title,
  data: { to, text },
});
