// Parts a text into what its writer wrote and what is quoted below it, so that a conversation shows each word once.

const quoteLine = /^\s*>/
const separators = [
  /^-{2,}\s*(?:original message|ursprüngliche nachricht|original-nachricht|message d'origine|mensaje original|weitergeleitete nachricht|forwarded message)\s*-{2,}$/i,
  /^_{20,}$/,
]
/** `On Monday, Ada wrote:`, also over two lines, as mail programs put it above what they quote. */
const introductions = [
  /^on\b.{1,200}\bwrote:$/is,
  /^am\b.{1,200}\bschrieb.{0,100}:$/is,
  /^le\b.{1,200}\ba écrit\s*:$/is,
  /^el\b.{1,200}\bescribió:$/is,
  /^il\b.{1,200}\bha scritto:$/is,
  /^op\b.{1,200}\bschreef.{0,100}:$/is,
  /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}.{0,200}<[^<>]{3,254}@[^<>]{1,254}>.{0,20}:$/is,
]
/** The head that Outlook puts above what it quotes. */
const outlookHead = /^\*?(?:from|von|de|da|van)\s*:\*?\s+\S/i
const outlookNext =
  /^\*?(?:sent|gesendet|envoyé|enviado|inviato|verzonden|date|datum|to|an|à|para|subject|betreff)\s*:\*?\s+\S/i

export type Parted = { written: string; quoted: string | null }

export function partQuoted(text: string): Parted {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const at = beginningOf(lines)
  const written = lines.slice(0, at).join('\n').trimEnd()
  // Who answers below the quotes, or quotes alone, has all of it shown.
  if (at === lines.length || written.trim() === '') return { written: text.trimEnd(), quoted: null }
  return { written, quoted: lines.slice(at).join('\n').trim() }
}

/** The line from which on everything is quoted. */
function beginningOf(lines: readonly string[]): number {
  const tail = quotedTail(lines)
  for (let at = 0; at < tail; at++) {
    const line = lines[at]!.trim()
    if (separators.some(separator => separator.test(line))) return at
    if (outlookHead.test(line) && lines.slice(at + 1, at + 4).some(next => outlookNext.test(next.trim()))) return at
  }
  return introducedAt(lines, tail)
}

/** Where the quoted lines at the end begin; none where something is written behind them. */
function quotedTail(lines: readonly string[]): number {
  let at = lines.length
  while (at > 0 && (quoteLine.test(lines[at - 1]!) || lines[at - 1]!.trim() === '')) at--
  while (at < lines.length && lines[at]!.trim() === '') at++
  return at
}

function introducedAt(lines: readonly string[], tail: number): number {
  if (tail === lines.length) return tail
  let end = tail
  while (end > 0 && lines[end - 1]!.trim() === '') end--
  for (let count = 1; count <= 3 && end - count >= 0; count++) {
    const introduction = lines
      .slice(end - count, end)
      .join(' ')
      .trim()
    if (introductions.some(one => one.test(introduction))) return end - count
  }
  return tail
}
