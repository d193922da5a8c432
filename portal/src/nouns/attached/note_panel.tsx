// A note, in the composer.

import own from './composer.module.css'
import type { ComposerProps } from './composing.ts'
import { NewNote } from './notes.tsx'

export function NotePanel({ recordId, name, onDone }: ComposerProps & { onDone(): void }) {
  return <NewNote recordId={recordId} className={own['note']} about={name} onCreated={onDone} />
}
