// The records that have a page of their own: how each kind is read, by the id that is in the address.
import { pluralOf } from '@tandem/catalog/plural'
import type { Tandem } from '@tandem/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { t } from './texts.ts'

const readers = {
  message: (api: Tandem, id: string, signal: AbortSignal) => api.messages.get({ messageId: id }, { signal }),
  mail: (api: Tandem, id: string, signal: AbortSignal) => api.mails.get({ mailId: id }, { signal }),
  app: (api: Tandem, id: string, signal: AbortSignal) => api.apps.get({ appId: id }, { signal }),
  inbound_mail: (api: Tandem, id: string, signal: AbortSignal) => api.inboundMails.get({ inboundId: id }, { signal }),
  carrier: (api: Tandem, id: string, signal: AbortSignal) => api.carriers.get({ carrierId: id }, { signal }),
  number: (api: Tandem, id: string, signal: AbortSignal) => api.numbers.get({ numberId: id }, { signal }),
  service: (api: Tandem, id: string, signal: AbortSignal) => api.messagingServices.get({ serviceId: id }, { signal }),
  trunk: (api: Tandem, id: string, signal: AbortSignal) => api.trunks.get({ trunkId: id }, { signal }),
  conference: (api: Tandem, id: string, signal: AbortSignal) => api.conferences.get({ conferenceId: id }, { signal }),
  call: (api: Tandem, id: string, signal: AbortSignal) => api.calls.get({ callId: id }, { signal }),
  lead: async (api: Tandem, id: string, signal: AbortSignal) =>
    (await api.leads.get({ id: Number(id) }, { signal })).lead,
  webhook: (api: Tandem, id: string, signal: AbortSignal) => api.webhooks.get({ webhookId: id }, { signal }),
  team: (api: Tandem, id: string, signal: AbortSignal) => api.teams.get({ teamId: id }, { signal }),
  delivery: (api: Tandem, id: string, signal: AbortSignal) => api.webhooks.delivery({ deliveryId: id }, { signal }),
}

export type RecordKind = keyof typeof readers
export type RecordOf<Kind extends RecordKind> = Awaited<ReturnType<(typeof readers)[Kind]>>

/** Where all records of a kind are listed, and what they are called there; a delivery is found by its webhook. */
export function homeOf(kind: RecordKind): { to: string; name: string } {
  const home = kind === 'delivery' ? 'webhook' : kind
  return { to: home === 'inbound_mail' ? '/mail-inbox' : `/${pluralOf(home)}`, name: t(`things.${home}`) }
}

/** One record; rejects with a TandemError of status 404 when there is none. */
export function readRecord<Kind extends RecordKind>(
  kind: Kind,
  api: Tandem,
  id: string,
  signal: AbortSignal,
): Promise<RecordOf<Kind>> {
  return readers[kind](api, id, signal) as Promise<RecordOf<Kind>>
}

/** The record of a page, in the mode the portal is in. */
export function useRecord<Kind extends RecordKind>(kind: Kind, id: string): UseQueryResult<RecordOf<Kind>> {
  const { mode } = useSession()
  return useQuery({
    queryKey: [mode, kind, id],
    queryFn: ({ signal }) => readRecord(kind, apiOf(mode), id, signal),
  })
}
