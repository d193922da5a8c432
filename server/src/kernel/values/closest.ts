// What somebody who mistyped a name may have meant.

/**
 * The candidate that `word` is mistyped from: by a letter left out, doubled, wrong or in the other's place, two such slips in words of more
 * than four letters; or the only one that begins with it. Undefined when none is so close.
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const asked = word.toLowerCase()
  const ranked = candidates
    .map(candidate => ({ candidate, slips: slipsBetween(asked, candidate.toLowerCase()) }))
    .sort((a, b) => a.slips - b.slips)
  const best = ranked[0]
  if (best !== undefined && best.slips <= (asked.length > 4 ? 2 : 1)) return best.candidate
  const begun = candidates.filter(candidate => asked.length > 1 && candidate.startsWith(asked))
  return begun.length === 1 ? begun[0] : undefined
}

/** Optimal string alignment distance. */
function slipsBetween(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j))
  for (let j = 0; j <= b.length; j++) rows[0]![j] = j
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const differs = a[i - 1] === b[j - 1] ? 0 : 1
      const [above, left, across] = [rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + differs]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2]![j - 2]! + 1 : left
      rows[i]![j] = Math.min(above, left, across, swapped)
    }
    rows[i]![0] = i
  }
  return rows[a.length]![b.length]!
}
