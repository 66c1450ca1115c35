const number = /^[-+]?\d+(\.\d+)?$/;

/**
 * Spreadsheets interpret cells that begin like this as formulas; a leading quote marks them as text. `plain` removes
 * it.
 */
export const escapeFormula = (cell: string): string =>
  /^'*[=+\-@\t\r]/.test(cell) && !number.test(cell) ? `'${cell}` : cell;

export const unescapeFormula = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);
