/** A bill of materials as CycloneDX has it, as far as it is read here. */
export interface Bill {
  bomFormat: string;
  components: Component[];
}

interface Component {
  /** The scope of a package: `@grpc`. */
  group?: string;
  name: string;
  version?: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
}

/** A third-party component that the product is shipped with. */
export interface Shipped {
  name: string;
  version: string;
  /** SPDX identifiers; empty where the package says none. */
  licence: string;
}

/** The components of the product besides its own packages, by name. */
export const shippedIn = ({ components }: Bill, ownScope: string): Shipped[] =>
  components
    .filter(({ group }) => group !== ownScope)
    .map(({ group, name, version = '', licenses = [] }) => ({
      name: (group ? `${group}/${name}` : name).replace(PLATFORM, '*'),
      version,
      // A package may say the same in the old way, too.
      licence: [
        ...new Set(licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '')),
      ].join(', '),
    }))
    .sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));

/** Of packages with a variant for each platform, one stands for all. */
const PLATFORM = /(?:linux|darwin|windows|win32)-(?:x64|arm64)(?:-gnu|-musl)?$/;

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Licences of components that let the product be distributed under its own licence. */
const FINE = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'PSF-2.0',
  'Unlicense',
  'CC0-1.0',
]);

/** Components that may not be shipped like this, or whose licence is unknown. */
export const refusedOf = (all: readonly Shipped[]): Shipped[] =>
  all.filter(({ licence }) => !alternativesIn(licence).some((one) => FINE.has(one)));

/** `(MIT OR GPL-2.0)` leaves the choice; of `A AND B` both hold. */
const alternativesIn = (licence: string): string[] =>
  /\bAND\b/.test(licence)
    ? licence.split(/\s+AND\s+/).every((one) => FINE.has(one.replace(/[()]/g, '')))
      ? [licence.split(/\s+AND\s+/)[0]!.replace(/[()]/g, '')]
      : []
    : licence.replace(/[()]/g, '').split(/\s+OR\s+/);

/** The list as a document. */
export const licencesDocument = (all: readonly Shipped[]): string => `# Licences

What Cadastre is shipped with, and under which licences. Made by \`npm run supply-chain -- licences --write\`; \`.ci/run\` checks that it is complete.

| package | version | licence |
|---|---|---|
${all.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`).join('\n')}
`;
