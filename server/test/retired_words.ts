// The words that docs/glossary.md retired, and how they are found in a text.

/** Retired words, and what the field says. */
const retired: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bfar[ _-]?(side|end)s?\b|FarSide|farSide/i, 'remote party, or peer in protocols and tests'],
  [/\bhappenings?\b|Happenings?\b/i, 'event'],
  [/\bfarewells?\b/i, 'BYE, or unbind'],
  [/\bfares?\b|resetFare/i, 'delivery health'],
  [
    /\b(tell|told|tells)[A-Z]\w*|[a-z](Told|Tells|Untold)\b|[a-z]_told\b|\btold_[a-z]|\btell_[a-z]/,
    'emit, report, send',
  ],
  // People still tell each other things.
  [/\b(tells|told|telling)\b|\btell\b(?! (me|us|the operator)\b)/i, 'emit, report, send, distinguish, say'],
  [/\breckon\w*|\w*Reckon\w*/i, 'calculate'],
  [/\bjudge\w*|\b\w+Judged?\b/i, 'check, or validate'],
  [/\bmost[A-Z]\w*|\bmost_[a-z]\w*/, 'max…'],
  [/\binTurn\b|\btakeTurns?\b|\btak(e|es|ing) a turn\b/, 'semaphore, sequentially, or token of a rate'],
  [/\btakeWords?\b|ClientWord|LastWord/, 'client signal, final response'],
  [/\bthe bin\b/i, 'the trash'],
  [/\bput(s|ting)? (\w+ )?in line\b|\bcreateLine\b|\bopenLine\b/, 'queue, FIFO, connection'],
  [/\btime[ _-]lines?\b/i, 'timeline'],
  [/\bhandOf\b/, 'transactionOf'],
  [/\bwhoever\b|\bwhomever\b/i, 'anyone who; after a comma: no matter who'],
  [/\banew\b/i, 'again'],
  [/\b(comes?|came|coming) about\b/i, 'occur'],
  [/\bof (its|their|his|our) own accord\b/i, 'by itself'],
  [
    /\b(whence|hither|thither|ere|lest|betimes|hearken|forthwith|heretofore|henceforth|naught|aught)\b/i,
    'plain modern English',
  ],
]

/** What is wrong with a text, one sentence a word. */
export function retiredIn(text: string): string[] {
  return retired.flatMap(([word, instead]) => {
    const found = word.exec(text)
    if (found === null) return []
    const line = text.slice(0, found.index).split('\n').length
    return [`line ${line}: "${found[0]}"; say ${instead}`]
  })
}
