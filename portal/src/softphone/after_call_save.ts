// Saves what is said of a call that is over, as one thing: its outcome, a note, the next step, where the lead stands, and who it was, where
// nobody knew. What was saved before something failed is not saved twice.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import type { CalledPerson } from './called_person.ts'
import type { Outcome } from './outcomes.ts'
import type { EndedCall } from './store.ts'

export type AfterValues = {
  outcome: Outcome | ''
  body: string
  title: string
  due_on: string
  status: string
  lost_reason: string
  /** Of who is to become a lead. */
  name: string
}

export const afterFields = ['outcome', 'body', 'title', 'due_on', 'status', 'lost_reason', 'name'] as const

export type Saving = { values: AfterValues; person: CalledPerson | null; version: number | undefined }

type Api = ReturnType<typeof apiOf>
type Status = NonNullable<Parameters<Api['leads']['update']>[0]['status']>

export function useAfterCallSave(call: EndedCall, onSaved: (recordId: string | undefined) => void) {
  const { user } = useSession()
  const cache = useQueryClient()
  const done = useRef(new Map<string, unknown>())
  return useMutation({
    async mutationFn({ values, person, version }: Saving) {
      const api = apiOf(call.mode)
      const once = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
        if (!done.current.has(what)) done.current.set(what, await work())
        return done.current.get(what) as Result
      }
      const { outcome, body, title, due_on: due, status, lost_reason: reason } = values
      const name = values.name.trim()
      const made =
        person !== null || name === ''
          ? undefined
          : await once('lead', async () => (await api.leads.create({ name, phone: call.other })).lead)
      const recordId = person?.recordId ?? (made && `lead:${made.id}`)
      const leadId = person?.leadId ?? made?.id
      if (outcome !== '') await once(`outcome ${outcome}`, () => api.calls.update({ callId: call.callId, outcome }))
      if (recordId !== undefined && body.trim() !== '')
        await once('note', () => api.notes.create({ record_id: recordId, body }))
      if (recordId !== undefined && title.trim() !== '')
        await once('task', () =>
          api.tasks.create({ record_id: recordId, title, assignee_id: user.id, ...(due !== '' && { due_on: due }) }),
        )
      if (leadId != null && status !== '')
        await once(`status ${status}`, () =>
          api.leads.update(
            { id: leadId, status: status as Status, ...(reason.trim() !== '' && { lost_reason: reason }) },
            version === undefined ? {} : { ifMatch: version },
          ),
        )
      return recordId
    },
    onSettled() {
      for (const key of ['timeline', 'on a record', 'calls', 'call', 'leads', 'lead'])
        void cache.invalidateQueries({ queryKey: [call.mode, key] })
    },
    onSuccess: onSaved,
  })
}
