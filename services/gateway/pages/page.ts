/** What a page answers: a template and what it shows, or where to go on. */
export type Answer = { view: string; title: string; data: Record<string, unknown>; status?: number } | { to: string };
