// The file that is sent in place of a body of text: in this page's memory only, one for each mode, and of the request for which it was chosen.
import { useState } from 'react'
import type { Mode } from '../../session/session.ts'
import { isFile } from '../request/form.ts'
import type { Draft } from '../request/request.ts'
import type { PageState } from './page_state.ts'

export type FileState = {
  chosen: File | undefined
  /** The name of one that was chosen for another request. */
  dropped: string | undefined
  choose(file: File | undefined): void
}

const placeOf = ({ method, path }: Pick<Draft, 'method' | 'path'>) => `${method} ${path}`

/** One that was chosen counts as long as the request says that it sends none but a file. */
export function useFile({ files }: PageState, mode: Mode, draft: Draft): FileState {
  const [, redraw] = useState(0)
  const kept = isFile(draft.headers) ? files[mode] : undefined
  return {
    chosen: kept?.file,
    dropped: kept?.file === undefined ? kept?.name : undefined,
    choose(file) {
      files[mode] = file && { place: placeOf(draft), name: file.name, file, isSaid: false }
      redraw(count => count + 1)
    },
  }
}

/**
 * Another request is on the screen: what was chosen for the one before does not go along. The next one that sends a file says so.
 * @param isSame whether a request of the same place is the one that was left: who looked at another screen comes back to it
 */
export function dropFile({ files }: PageState, mode: Mode, next: Draft, isSame: boolean): Draft {
  const kept = files[mode]
  if (kept === undefined || (isSame && kept.place === placeOf(next))) return next
  const isOver = kept.file === undefined && kept.isSaid
  files[mode] = isOver ? undefined : { place: placeOf(next), name: kept.name, isSaid: isFile(next.headers) }
  return next
}
