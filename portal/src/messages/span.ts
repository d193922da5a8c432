// Spans of time that people choose, such as validities: shown in the units they were meant in.

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** "4 h", "1 h 30 min", "90 s" as "1 min 30 s". */
export function spanText(seconds: number): string {
  let left = seconds
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}
