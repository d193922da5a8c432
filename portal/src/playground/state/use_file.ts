// The file that is sent in place of a body of text: in this page's memory only, one for each method and path.
import { useState } from 'react'
import type { Mode } from '../../session/session.ts'
import { isFile } from '../request/form.ts'
import type { Draft } from '../request/request.ts'
import type { PageState } from './page_state.ts'

export type FileState = { chosen: File | undefined; choose(file: File | undefined): void }

/** One that was chosen counts as long as the request says that it sends none but a file. */
export function useFile({ files }: PageState, mode: Mode, { method, path, headers }: Draft): FileState {
  const [, redraw] = useState(0)
  const place = `${mode} ${method} ${path}`
  return {
    chosen: isFile(headers) ? files.get(place) : undefined,
    choose(file) {
      if (file === undefined) files.delete(place)
      else files.set(place, file)
      redraw(count => count + 1)
    },
  }
}
