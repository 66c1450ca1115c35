// `npm run supply-chain`: the components of the product, their licences, and their known vulnerabilities.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { atLeast, findingsIn } from './audit.ts';
import { type Bill, licencesDocument, refusedOf, shippedIn } from './bill.ts';

const root = resolve(import.meta.dirname, '../..');
const DOCUMENT = join(root, 'docs', 'licences.md');
const USAGE = `npm run supply-chain -- sbom [--out FILE]       a bill of materials of what is shipped, as CycloneDX
npm run supply-chain -- licences [--write]     whether docs/licences.md is complete, and everything may be shipped
npm run supply-chain -- audit                  whether weaknesses are known that are high or critical
`;
/** Exit code when the check could not be made, though nothing is known to be wrong. */
const SKIPPED = 75;
const GENERATOR = '@cyclonedx/cyclonedx-npm@6.0.1';
const OWN_SCOPE = '@cadastre';

/** Runs npm; its output counts, even if its exit code reports problems. */
function npm(...words: string[]): string {
  try {
    return execFileSync('npm', words, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (stdout) return stdout;
    throw error;
  }
}

/** What makes the bill could not be fetched. */
class Unfetched extends Error {}

/** npm's own `npm sbom` leaves out what development needs as well; scripts of packages are not run for this. */
function billText(): string {
  const words = ['exec', '--yes', '--ignore-scripts', '--omit=optional', `--package=${GENERATOR}`, '--'];
  try {
    return npm(...words, 'cyclonedx-npm', '--omit=dev', '--output-reproducible');
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    if (/\bcode E(?:\d{3}|[A-Z]+)\b/.test(stderr)) throw new Unfetched(stderr.split('\n')[0]);
    throw error;
  }
}

function sbom(out: string | undefined): number {
  const text = billText();
  const { components } = JSON.parse(text) as Bill;
  if (out === undefined) process.stdout.write(text);
  else writeFileSync(out, text);
  process.stderr.write(`${components.length} components\n`);
  return 0;
}

function licences(write: boolean): number {
  const all = shippedIn(JSON.parse(billText()) as Bill, OWN_SCOPE);
  const refused = refusedOf(all);
  for (const { name, version, licence } of refused)
    process.stderr.write(`${name} ${version} must not be shipped under ${licence || 'no licence'}\n`);
  const document = licencesDocument(all);
  if (write) writeFileSync(DOCUMENT, document);
  else if (readFileSync(DOCUMENT, 'utf8') !== document) {
    process.stderr.write('docs/licences.md is not up to date: npm run supply-chain -- licences --write\n');
    return 1;
  }
  process.stdout.write(`${all.length} packages of others are shipped.\n`);
  return refused.length ? 1 : 0;
}

function audit(): number {
  const findings = findingsIn(JSON.parse(npm('audit', '--omit=dev', '--json')));
  if (!findings) {
    process.stdout.write(
      'Skipped: the registry that npm uses tells of no weaknesses. To find out: npm audit with another one.\n',
    );
    return SKIPPED;
  }
  for (const { name, severity, advisories } of findings)
    process.stdout.write(`${severity}: ${name}: ${advisories.join('; ')}\n`);
  const bad = atLeast(findings, 'high');
  process.stdout.write(`${findings.length} packages with known weaknesses, ${bad.length} of them high or critical.\n`);
  return bad.length ? 1 : 0;
}

function run(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string' }, write: { type: 'boolean' } },
  });
  switch (positionals[0]) {
    case 'sbom':
      return sbom(values.out);
    case 'licences':
      return licences(values.write ?? false);
    case 'audit':
      return audit();
    default:
      process.stderr.write(USAGE);
      return 2;
  }
}

try {
  process.exitCode = run();
} catch (error) {
  if (!(error instanceof Unfetched)) throw error;
  process.stdout.write(`Skipped: ${GENERATOR} cannot be fetched (${error.message}).\n`);
  process.exitCode = SKIPPED;
}
