// Sizes as people read them, in the output of commands and in what the doctor finds.

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** A size as people read it, in powers of ten: `812 B`, `310.2 MB`, `2.5 GB`. */
export function bytesText(bytes: number): string {
  const at = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1_000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`
}
