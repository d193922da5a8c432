// The file that is sent in place of a body of text: in this page's memory only, one for each mode, and of the request for which it was chosen.
import { useState } from 'react'
import type { Mode } from '../../session/session.ts'
import { isFile } from '../request/form.ts'
import type { Draft } from '../request/request.ts'
import type { KeptFile, PageState } from './page_state.ts'
import type { Opening } from './use_draft.ts'

export type FileState = {
  chosen: File | undefined
  /** The name of one that was chosen for another request. */
  dropped: string | undefined
  choose(file: File | undefined): void
}

type Shown = { draft: Draft; opened: number }
type Files = Pick<PageState, 'files'>

const placeOf = ({ method, path }: Pick<Draft, 'method' | 'path'>) => `${method} ${path}`

export function useFile(page: Files, mode: Mode, shown: Shown): FileState {
  const [, redraw] = useState(0)
  const kept = fileOf(page, mode, shown)
  return {
    chosen: kept?.file,
    dropped: kept?.file === undefined ? kept?.name : undefined,
    choose(file) {
      chooseFile(page, mode, shown, file)
      redraw(count => count + 1)
    },
  }
}

/** What was chosen for this request, or for the one before. It counts as long as the request says that it sends none but a file. */
export function fileOf({ files }: Files, mode: Mode, { draft, opened }: Shown): KeptFile | undefined {
  const kept = files[mode]
  return isFile(draft.headers) && kept?.opened === opened ? kept : undefined
}

export function chooseFile({ files }: Files, mode: Mode, { draft, opened }: Shown, file: File | undefined): void {
  files[mode] = file && { opened, place: placeOf(draft), name: file.name, file, isSaid: false }
}

let count = 0

/**
 * Another request is on the screen: what was chosen for the one before does not go along. The next one that sends a file says so.
 * @param isSame whether a request of the same place is the one that was left: who looked at another screen comes back to it
 */
export function dropFile({ files }: Files, mode: Mode, next: Draft, isSame: boolean): Opening {
  const before = files[mode]
  const isGoneOn = isSame && before?.place === placeOf(next)
  const opened = isGoneOn ? before.opened : ++count
  if (before !== undefined && !isGoneOn) {
    const isOver = before.file === undefined && before.isSaid
    files[mode] = isOver ? undefined : { opened, place: placeOf(next), name: before.name, isSaid: isFile(next.headers) }
  }
  return {
    opened,
    // What was chosen for this one goes, and what it had dropped is there again.
    takeBack(lost) {
      files[mode] = before
      return dropFile({ files }, mode, lost, true).opened
    },
  }
}
