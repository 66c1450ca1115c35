const SEVERITIES = ['info', 'low', 'moderate', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A known weakness of a package that the product is shipped with. */
export interface Finding {
  name: string;
  severity: Severity;
  /** Titles of advisories, with their addresses. */
  advisories: string[];
}

/** What `npm audit --json` found; undefined where the registry keeps no advisories. */
export function findingsIn(report: unknown): Finding[] | undefined {
  const { vulnerabilities } = (report ?? {}) as {
    vulnerabilities?: Record<string, { severity: Severity; via: (string | { title: string; url: string })[] }>;
  };
  if (!vulnerabilities) return undefined;
  return Object.entries(vulnerabilities).map(([name, { severity, via }]) => ({
    name,
    severity,
    advisories: via.map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title} (${one.url})`)),
  }));
}

/** Those that are as bad as that, or worse. */
export const atLeast = (findings: readonly Finding[], least: Severity): Finding[] =>
  findings.filter(({ severity }) => SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least));
