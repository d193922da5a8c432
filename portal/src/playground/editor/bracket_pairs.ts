// Which bracket of a JSON text closes which: for folding and for showing the other one.

export type Pair = { open: number; close: number }

/** Matching brackets outside of strings, by the place of the opening one. What does not match is left out. */
export function bracketPairs(text: string): Pair[] {
  const pairs: Pair[] = []
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfLineString(text, at)
    else if (code === 0x7b || code === 0x5b) open.push(at)
    else if (code === 0x7d || code === 0x5d) {
      const from = open.at(-1)
      // } is two above { in ASCII, and ] two above [.
      if (from === undefined || text.charCodeAt(from) !== code - 2) continue
      open.pop()
      pairs.push({ open: from, close: at })
    }
  }
  return pairs.sort((a, b) => a.open - b.open)
}

// A string of JSON ends on its line; one that is still being written must not swallow the rest of the text.
function endOfLineString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at++
    else if (code === 0x22 || code === 0x0a) return at
  }
  return text.length
}

/** The pair whose opening or closing bracket stands at, or just before, a place. */
export function pairBeside(pairs: readonly Pair[], at: number): Pair | undefined {
  return (
    pairs.find(pair => pair.open === at || pair.close === at) ??
    pairs.find(pair => pair.open === at - 1 || pair.close === at - 1)
  )
}
