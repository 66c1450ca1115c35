const number = /^[-+]?\d+(\.\d+)?$/;

/** Programs take a cell for a formula that begins like one; a quote before it says that it is text. `plain` takes it away. */
export const escapeFormula = (cell: string): string =>
  /^'*[=+\-@\t\r]/.test(cell) && !number.test(cell) ? `'${cell}` : cell;

export const unescapeFormula = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);
