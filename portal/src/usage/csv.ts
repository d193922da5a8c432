// A chart's figures as a file for spreadsheets (RFC 4180).

type Series = { label: string; values: readonly (number | null)[] }

/** A field in quotes where it needs them; one that a spreadsheet would take for a formula is defused. */
function field(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line a bucket, one column a series; a missing figure is empty. */
export function csvOf(buckets: readonly string[], series: readonly Series[]): string {
  const head = ['from', ...series.map(one => field(one.label))].join(',')
  const lines = buckets.map((bucket, index) => [bucket, ...series.map(one => one.values[index] ?? '')].join(','))
  return `${[head, ...lines].join('\r\n')}\r\n`
}
