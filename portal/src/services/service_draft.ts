// What was typed over a messaging service, apart from what is stored: all else follows what others change meanwhile. Of senders it is
// those that were added and removed, so that a number that another page put into the service stays in it.
import { differing } from '../forms/differing.ts'
import type { ServiceValues } from './service_values.ts'

export type ServiceDraft = {
  typed: Partial<ServiceValues>
  /** What was stored of these fields when they were typed. */
  begun: Partial<ServiceValues>
}

export const emptyDraft: ServiceDraft = { typed: {}, begun: {} }

/** What is stored, with what was typed over it. */
export function valuesOver(stored: ServiceValues, { typed, begun }: ServiceDraft): ServiceValues {
  const { senders } = typed
  if (senders === undefined) return { ...stored, ...typed }
  const before = begun.senders ?? stored.senders
  const isKept = (id: string) => senders.includes(id) || !before.includes(id)
  const added = senders.filter(id => !before.includes(id) && !stored.senders.includes(id))
  return { ...stored, ...typed, senders: [...stored.senders.filter(isKept), ...added] }
}

export function draftAfter(
  stored: ServiceValues,
  draft: ServiceDraft,
  next: (old: ServiceValues) => ServiceValues,
): ServiceDraft {
  const before = valuesOver(stored, draft)
  const now = next(before)
  const patch = differing(now, before)
  const typed = differing({ ...draft.typed, ...patch }, stored)
  const begun = { ...stored, ...draft.begun, ...('senders' in patch && { senders: stored.senders }) }
  return { typed, begun: Object.fromEntries(Object.entries(begun).filter(([name]) => name in typed)) }
}

/** Fields that were typed, and that somebody else changed since to something else. */
export function changedMeanwhile(stored: ServiceValues, draft: ServiceDraft): (keyof ServiceValues)[] {
  const others = differing(stored, { ...stored, ...draft.begun })
  const own = differing(draft.typed, stored)
  return (Object.keys(own) as (keyof ServiceValues)[]).filter(name => name !== 'senders' && name in others)
}
