// Lines of CSV as RFC 4180 has them, safe for spreadsheets: a text that one would take for a formula gets an apostrophe in front, which
// `withoutApostrophe` takes away again.

/** What a spreadsheet takes for a formula, and what only looks like a text that was defused. */
const formula = /^'*[=+\-@\t\r]/

/** A text that no spreadsheet calculates. */
export function defused(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** The text that was defused. */
export function withoutApostrophe(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text
}

/** One line with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

function quoted(cell: string): string {
  return /[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
