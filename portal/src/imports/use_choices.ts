// What is chosen for a draft: it is kept by the server as it changes, one change behind the other, so that it is there when the page is
// opened again. What the server refuses stays on the screen with the reason, and is sent again with the next change.
import type { Import } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { importKey } from './data.ts'
import type { Choices } from './rules.ts'

export function useChoices(found: Import) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [local, setLocal] = useState<Choices>({})
  const save = useMutation({
    // One after the other, in the order of the changes.
    scope: { id: `import ${found.id}` },
    mutationFn: async (choices: Choices) => (await api.imports.update({ id: found.id, ...choices })).import,
    onSuccess(saved, sent) {
      cache.setQueryData(importKey(mode, found.id), saved)
      setLocal(now => withoutSent(now, sent))
    },
  })
  const change = (patch: Choices) => {
    const all = { ...local, ...patch }
    setLocal(all)
    save.mutate(all)
  }
  return {
    /** The import as it is chosen now. */
    chosen: { ...found, ...local } as Import,
    change,
    isSaving: save.isPending,
    error: save.isPending ? null : save.error,
    again: () => save.mutate(local),
  }
}

export type ChoiceState = ReturnType<typeof useChoices>

/** What was changed since something was sent. */
function withoutSent(now: Choices, sent: Choices): Choices {
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== sent[name as keyof Choices]),
  ) as Choices
}
