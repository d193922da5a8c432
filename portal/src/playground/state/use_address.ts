// The address of the Playground: `?endpoint=…`, or `?method=…&path=…` for what is not in the catalog; `?replay=req_…` loads a
// logged request, `#request=…` a shared one. Whatever it brings is put on the screen and never sent.

import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { apiOf } from '../../session/api.ts'
import { endpointById, endpoints } from '../../session/catalog.ts'
import type { Mode } from '../../session/session.ts'
import { faultText } from '../../ui/faults.ts'
import { useToast } from '../../ui/index.ts'
import { draftFromLog, type LoggedRequest, matchRequestPath, undocumentedDraft } from '../json/examples.ts'
import { latestDraft } from '../kept/drafts.ts'
import { decodeShare, isShare } from '../kept/share.ts'
import type { Store } from '../kept/store.ts'
import { type CredentialRef, tokensOf } from '../request/request.ts'
import { t } from '../texts.ts'
import { isPlayground } from './here.ts'
import type { DraftState } from './use_draft.ts'

const FIRST_ENDPOINT = 'messages.sms.send'

export type AddressOptions = {
  draft: DraftState
  store: Store | undefined
  mode: Mode
  credential: CredentialRef
}

export function useAddress({ draft, store, mode, credential }: AddressOptions): void {
  const location = useLocation()
  const navigate = useNavigate()
  const router = useRouter()
  const toast = useToast()
  const search = location.search as Record<string, string | undefined>
  const { endpoint, replay, method, path } = search
  const { hash, pathname } = location
  // What the address was last made to say by ourselves: no reason to load anything.
  const written = useRef<string>(undefined)
  const wish = [endpoint, replay, method, path, isShare(hash) ? hash : ''].join('\n')

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another address, or the store's coming, loads something
  useEffect(() => {
    // On the way to another screen the address is that screen's already.
    if (store === undefined || wish === written.current || !isPlayground(router, pathname)) return
    written.current = wish
    const load = async () => {
      if (isShare(hash)) return draft.replace({ ...(await decodeShare(hash)), credential }, t('openedFromLink'))
      if (replay !== undefined) {
        const logged: LoggedRequest & { bodyNote?: string | null } = await apiOf(mode).requests.get({
          requestId: replay,
        })
        const note = logged.bodyNote ? ` ${logged.bodyNote}` : ''
        return draft.replace(draftFromLog(logged, { entries: endpoints, credential }), `${t('loadedFromLog')}${note}`)
      }
      const entry = endpoint === undefined ? undefined : endpointById(endpoint)
      if (entry !== undefined) return draft.open(entry.method, entry.path)
      if (path?.startsWith('/')) {
        const verb = (method ?? 'GET').toUpperCase()
        const matched = tokensOf(path).length > 0 ? undefined : matchRequestPath(path, endpoints)
        if (matched === undefined || matched.values.length === 0) return draft.open(verb, path)
        // An address that names a record is a link somebody made.
        const linked = { ...undocumentedDraft(verb, matched.path, credential), pathValues: matched.values }
        return draft.replace(linked, t('openedFromLink'))
      }
      if (endpoint !== undefined) toast({ text: t('noEndpoint', { endpoint }), tone: 'bad' })
      const latest = await latestDraft(store, mode)
      if (latest !== undefined) return draft.open(latest.method, latest.path)
      const first = endpointById(FIRST_ENDPOINT) ?? endpoints[0]!
      return draft.open(first.method, first.path)
    }
    load().catch(error => {
      toast({ text: error instanceof Error ? faultText(error) : t('requestNotLoaded'), tone: 'bad' })
      const first = endpointById(FIRST_ENDPOINT) ?? endpoints[0]!
      if (!draft.ready) void draft.open(first.method, first.path)
    })
  }, [store, wish])

  const { ready, entry } = draft
  const { method: shownMethod, path: shownPath } = draft.draft
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows what is shown
  useEffect(() => {
    if (!ready) return
    const next =
      entry === undefined
        ? { endpoint: undefined, method: shownMethod, path: shownPath }
        : { endpoint: entry.id, method: undefined, path: undefined }
    const said = [next.endpoint, undefined, next.method, next.path, ''].join('\n')
    if (said === wish) return
    written.current = said
    void navigate({
      to: '.',
      search: (old: Record<string, unknown>) => ({ ...old, ...next, replay: undefined }),
      hash: '',
      replace: true,
    })
  }, [ready, entry?.id, shownMethod, shownPath])
}
