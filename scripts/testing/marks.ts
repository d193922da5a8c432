// How a test file says that it is not like the others, in a line of its head comment:
//
//   // test: own process          nothing else runs in its process, before or after it
//   // test: waits                it mostly waits, for peers or timers, and needs little of a processor
//   // test: programs           its promises are in seconds of the clock, and programs beside it keep them: a carrier, a telephone, a
//                              browser, a server that is killed. Where others leave those no processor for seconds, it fails
//                              without a fault of anybody: then it is run once more, alone, and the end of the run says so
//   // test: own process, waits
//
// All others share processes that live for many files, and must leave them as they found them.
import { readFileSync } from 'node:fs'

export type Marks = { ownProcess: boolean; waits: boolean; programs: boolean }

/** @throws Error for a mark that means nothing */
export function marksIn(source: string): Marks {
  const marks: Marks = { ownProcess: false, waits: false, programs: false }
  const head = /^(?:\/\/.*\n)*/.exec(source)?.[0] ?? ''
  for (const [, list = ''] of head.matchAll(/^\/\/ test: (.*)$/gm)) {
    for (const mark of list.split(',').map(text => text.trim())) {
      if (mark === 'own process') marks.ownProcess = true
      else if (mark === 'waits') marks.waits = true
      else if (mark === 'programs') marks.programs = true
      else throw new Error(`"// test: ${mark}" means nothing; there are "own process", "waits" and "programs"`)
    }
  }
  return marks
}

export function marksOf(path: string): Marks {
  try {
    return marksIn(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`)
  }
}
