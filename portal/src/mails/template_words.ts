// The words of a template, put into what is being written: they take the place of nothing that was typed.
// Pure functions; `use_template_words.ts` asks the server.

export type Words = { subject: string; text: string }

/** Between what was typed and what is put beside it. */
const gap = '\n\n'

function textWith(now: string, words: string, caret: number): string {
  const [before, after] = [now.slice(0, caret).trimEnd(), now.slice(caret).trimStart()]
  return [before, words, after].filter(part => part !== '').join(gap)
}

/**
 * @param put what the template before put there: as long as that is as it was, the next one takes its place
 * @param caret where in the text; its end when left out
 */
export function withWords(now: Words, words: Words, put?: Words, caret = now.text.length): Words {
  const isFree = (name: keyof Words) => now[name].trim() === '' || now[name] === put?.[name]
  return {
    subject: isFree('subject') ? words.subject : now.subject,
    text: isFree('text') ? words.text : textWith(now.text, words.text, caret),
  }
}

/** Answers of several requests, of which only that of the latest counts. */
export function createLatest() {
  let latest = 0
  return {
    begin: () => ++latest,
    isLatest: (turn: number) => turn === latest,
  }
}
