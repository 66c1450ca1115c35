const escaped = (sql: string): string => sql.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${');

/** One column or constraint of a `create table` per line, so that a review shows what changed. */
function laidOut(statement: string): string {
  const table = /^(create table [^(]+\()(.*)\)$/s.exec(statement);
  if (!table) return statement;
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let from = 0;
  const body = table[2]!;
  for (let i = 0; i < body.length; i++) {
    const char = body[i];
    if (char === "'") quoted = !quoted;
    else if (quoted) continue;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    else if (char === ',' && depth === 0) {
      parts.push(body.slice(from, i).trim());
      from = i + 1;
    }
  }
  parts.push(body.slice(from).trim());
  return `${table[1]}\n      ${parts.join(',\n      ')}\n    )`;
}

/** The source of a migration that runs the statements. */
export function migrationText(className: string, statements: readonly string[]): string {
  return `import { Migration } from '@mikro-orm/migrations';

export class ${className} extends Migration {
  override up(): void {
${statements.map((statement) => `    this.addSql(\`${escaped(laidOut(statement))}\`);`).join('\n')}
  }
}
`;
}
