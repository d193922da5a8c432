// Ties the parts of the Playground together: from what is written and chosen to one effective request, its sending with the
// questions before it, and what becomes of the answer.

import { parseCurl } from '@tandem/catalog'
import { useEffect, useMemo, useState } from 'react'
import { endpoints, useEndpoint } from '../../session/catalog.ts'
import { type Mode, useSession } from '../../session/session.ts'
import { copyText } from '../../ui/clipboard.ts'
import { faultText } from '../../ui/faults.ts'
import { useToast } from '../../ui/index.ts'
import { listText } from '../../words/format.ts'
import { useLanguage } from '../../words/language.ts'
import { type ChosenValue, textOf } from '../body/chosen_value.ts'
import type { Checks } from '../collections/content.ts'
import { draftFromRequest, matchPath } from '../json/examples.ts'
import { findAnswer, type HistoryRow, type KeptAnswer, keepHistory, keptOf } from '../kept/history.ts'
import { encodeShare } from '../kept/share.ts'
import type { Store } from '../kept/store.ts'
import { needsBody, notedWhenEmpty } from '../request/careful.ts'
import { kindOfCredential } from '../request/credential.ts'
import {
  type Draft,
  type Effective,
  effectiveRequest,
  isSendable,
  onlyVariablesMissing,
  type Surroundings,
} from '../request/request.ts'
import { type Lookup, lookupIn, suggestName, type Variable } from '../request/variables.ts'
import { type CredentialFacts, explain, type FieldFault } from '../sending/explain.ts'
import { headerOf } from '../sending/rate_limit.ts'
import { responseMs, splitTime } from '../sending/timing.ts'
import { t } from '../texts.ts'
import { consequence, guardKey, needsConfirmation } from './guard.ts'
import { forgetWhenOut, pageState } from './page_state.ts'
import { type Looked, lookUp, type Target, targetOf } from './target.ts'
import { useAddress } from './use_address.ts'
import { type Credential, useCredential } from './use_credential.ts'
import { useDraft } from './use_draft.ts'
import { type EnvironmentState, useEnvironment } from './use_environment.ts'
import { dropFile, useFile } from './use_file.ts'
import { useSaved } from './use_saved.ts'
import { type SentResult, useSender } from './use_sender.ts'
import { useVariables, type Variables } from './use_variables.ts'

export type Acting = { facts: CredentialFacts | undefined; mode: Mode }
export type Question = {
  title: string
  text: string
  confirmLabel: string
  danger: boolean
  /** The record that would be changed or removed, to be shown before it is. */
  about?: { target: Target; effective: Effective; look(signal: AbortSignal): Promise<Looked> } | undefined
  proceed(): void
}

export function usePlayground() {
  const { mode, user } = useSession()
  const page = pageState(user.id)
  const toast = useToast()
  const origin = window.location.origin
  const store = usePromise(page.store)
  const credential = useCredential()
  const [careful, setCareful] = useState(credential.actingMode === 'live')
  const draft = useDraft({
    ...{ careful, store, mode },
    userId: String(user.id),
    credential: credential.ref,
    secrets: credential.secrets,
    opening: (next, isSame) => dropFile(page, mode, next, isSame),
  })
  useAddress({ draft, store, mode, credential: credential.ref })
  const variables = useVariables(store, mode, credential.secrets)
  const environment = useEnvironment(user.id, mode)
  const saved = useSaved({ page, mode, draft, secrets: credential.secrets, credential: credential.ref })
  const sender = useSender()
  const [result, setResult] = useState<SentResult | undefined>(page.results[mode])
  const [asking, setAsking] = useState<Question>()
  const [binding, setBinding] = useState<{ value: string; source: string; suggested: string }>()
  const resultEndpoint = useEndpoint(result?.endpointId).data

  useEffect(() => forgetWhenOut, [])

  const { known, lookup } = useKnown(environment, variables)
  const file = useFile(page, mode, draft)
  const written = useWritten(draft.draft, { origin, lookup, token: credential.token, file: file.chosen })
  const acting = actingCredential(written, credential)
  const isLive = acting.mode === 'live'
  useEffect(() => setCareful(isLive), [isLive])
  const effective = isLive && needsBody(draft.endpoint) ? notedWhenEmpty(written) : written
  const isReady = draft.ready && (draft.isCareful || !isLive)
  const canSend = (isSendable(effective) || onlyVariablesMissing(effective)) && isReady
  const faults = useFaults(result, resultEndpoint, draft.draft)

  const keep = (next: SentResult | undefined) => {
    page.results[mode] = next
    setResult(next)
  }

  async function go(literalVariables: boolean): Promise<void> {
    let token: string | undefined
    try {
      token = await credential.resolve()
    } catch (error) {
      toast({ text: error instanceof Error ? faultText(error) : t('noToken'), tone: 'bad' })
      return
    }
    const request = effectiveRequest(draft.draft, { origin, lookup, token, literalVariables, file: file.chosen })
    const sent = await sender.send(request, {
      draft: draft.draft,
      endpointId: draft.entry?.id,
      credential: acting.facts,
      actingMode: acting.mode,
    })
    if (sent === undefined) return
    const tested = await testSent(sent, saved.checks, lookup, variables)
    keep({ ...sent, tested })
    if (store !== undefined) await remember(store, mode, sent, credential).catch(() => undefined)
  }

  function send(confirmed = false, literalVariables = false): void {
    if (sender.sending !== undefined || !canSend) return
    const { method } = effective
    const missing = effective.notes.flatMap(note => note.variable ?? [])
    if (missing.length > 0 && !literalVariables) {
      setAsking({
        title: t('variablesMissing', { count: missing.length }),
        text: t('variablesMissingText', {
          names: listText(missing.map(name => `{{${name}}}`)),
          spaced: '{{ name }}',
        }),
        confirmLabel: t('sendAsWritten'),
        danger: false,
        proceed: () => send(confirmed, true),
      })
      return
    }
    const key = guardKey(method, draft.draft.path)
    const target = targetOf(effective, endpoints)
    const isKnown = draft.entry !== undefined && target === undefined
    if (!confirmed && needsConfirmation({ method, actingMode: acting.mode, key, isKnown }, page.confirmed)) {
      const look = async (signal: AbortSignal) => {
        const token = await credential.resolve()
        return lookUp(target!, effectiveRequest(draft.draft, { origin, lookup, token }), signal)
      }
      setAsking({
        title: t('liveTitle'),
        text: consequence(draft.endpoint, effective),
        confirmLabel: t(method === 'DELETE' ? 'deleteForReal' : 'sendForReal'),
        danger: true,
        about: target && { target, effective, look },
        proceed() {
          page.confirmed.add(key)
          send(true, literalVariables)
        },
      })
      return
    }
    void go(literalVariables)
  }

  return {
    store,
    ...{ origin, draft, file },
    effective,
    canSend,
    credential,
    acting,
    variables,
    environment,
    /** With those of the environment. */
    known,
    lookup,
    saved,
    sender,
    result,
    resultEndpoint,
    faults,
    asking,
    binding,
    send: () => send(),
    answer(yes: boolean) {
      setAsking(undefined)
      if (yes) asking?.proceed()
    },
    bind(chosen: ChosenValue) {
      const request = result === undefined ? '' : `${result.effective.method} ${new URL(result.effective.url).pathname}`
      const taken = variables.list.map(({ name }) => name)
      setBinding({
        value: textOf(chosen),
        source: `${request} ${chosen.pointer}`.trim(),
        suggested: suggestName(chosen.pointer, taken),
      })
    },
    closeBinding: () => setBinding(undefined),
    setPathValue(name: string, value: string) {
      const others = draft.draft.pathValues.filter(each => each.name !== name)
      draft.change({ pathValues: [...others, { name, value }] })
    },
    openPath(text: string) {
      const path = text.startsWith('/') ? text : `/${text}`
      const known = endpoints.find(entry => entry.path === path)
      const matched = known === undefined ? matchPath(path, endpoints) : undefined
      if (matched === undefined) void draft.open(draft.draft.method, path)
      else void draft.open(draft.draft.method, matched.path).then(() => draft.change({ pathValues: matched.values }))
    },
    /** Fills the request from a command; gives what is wrong with it, or undefined. */
    takeCurl(text: string): string | undefined {
      const parsed = parseCurl(text)
      if ('error' in parsed) {
        toast({ text: parsed.error, tone: 'bad' })
        return parsed.error
      }
      const taken = draftFromRequest(parsed, { entries: endpoints, origin, credential: credential.ref })
      const kind = taken.token === undefined ? 'unknown' : kindOfCredential(taken.token)
      const careful = kind === 'live key' || (kind === 'test key' ? false : undefined)
      if (taken.token !== undefined) credential.paste(taken.token)
      const { otherOrigin } = taken
      const notice = otherOrigin === undefined ? t('fromCurl') : t('fromCurlOf', { origin: otherOrigin })
      void draft.replace(taken.draft, notice, careful)
      return undefined
    },
    share: () => shareLink(draft.draft, origin, credential.secrets(), toast),
    async recall(row: HistoryRow) {
      await draft.replace({ ...row.draft, credential: credential.ref }, t('fromHistory'))
      const answer = store === undefined ? undefined : await findAnswer(store, row.id)
      const old = answer === undefined ? undefined : resultOf(row, answer, origin)
      keep(old)
    },
  }
}

/** Puts a link to a request into the clipboard. */
async function shareLink(draft: Draft, origin: string, secrets: string[], toast: ReturnType<typeof useToast>) {
  try {
    const fragment = await encodeShare(draft, secrets)
    await copyText(`${origin}/playground#${fragment}`)
    toast({ text: t('linkCopied'), tone: 'ok' })
  } catch (error) {
    toast({ text: error instanceof Error ? error.message : t('linkNotMade'), tone: 'bad' })
  }
}

/** The tests of an answer, and what it gives to variables; undefined where nothing is asked of it. */
async function testSent(sent: SentResult, checks: Checks, lookup: Lookup, variables: Variables) {
  if (checks.tests.length === 0 && checks.captures.length === 0) return undefined
  const { testAnswer } = await import('../tests/answer.ts')
  const tested = await testAnswer(sent.outcome, checks, lookup)
  if (tested.taken.length > 0) {
    const from = `${sent.effective.method} ${new URL(sent.effective.url).pathname}`
    variables.setAll(tested.taken.map(each => ({ ...each, source: `${from} ${each.source}` })))
  }
  return tested
}

/** The request as it would be sent; its notes are in the language that was chosen. */
function useWritten(draft: Draft, { origin, lookup, token, file }: Surroundings): Effective {
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: its notes are words
  return useMemo(
    () => effectiveRequest(draft, { origin, lookup, token, file }),
    [draft, origin, lookup, token, file, language],
  )
}

/** Every variable that has a value. What an answer gave takes the place of what an environment has. */
function useKnown(environment: EnvironmentState, variables: Variables) {
  const text = JSON.stringify([...environment.variables, ...variables.list])
  return useMemo(() => {
    const known: readonly Variable[] = JSON.parse(text)
    return { known, lookup: lookupIn(known) }
  }, [text])
}

export type Playground = ReturnType<typeof usePlayground>

/** Who the request will act as: an Authorization header of one's own counts before the chosen credential. */
export function actingCredential({ headers }: Effective, { facts, actingMode }: Credential): Acting {
  const own = headers.find(({ name, origin }) => origin === 'you' && name.toLowerCase() === 'authorization')
  if (own === undefined) return { facts, mode: actingMode }
  const kind = kindOfCredential(own.value.replace(/^Bearer\s+/i, ''))
  return {
    facts: { label: t('ownHeader'), permissions: undefined },
    // Of any other nobody has asked whose it is.
    mode: kind === 'test key' ? 'test' : 'live',
  }
}

function usePromise<T>(promise: Promise<T>): T | undefined {
  const [value, setValue] = useState<T>()
  useEffect(() => {
    let gone = false
    promise.then(
      settled => !gone && setValue(() => settled),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [promise])
  return value
}

const noFaults: readonly FieldFault[] = []

/** What the server found wrong, as long as the request on the screen is the one it found it in. */
function useFaults(
  result: SentResult | undefined,
  endpoint: ReturnType<typeof useEndpoint>['data'],
  draft: SentResult['draft'],
): readonly FieldFault[] {
  const same =
    result !== undefined &&
    result.draft.method === draft.method &&
    result.draft.path === draft.path &&
    result.draft.body === draft.body
  return useMemo(() => {
    if (!same || result.outcome.kind !== 'answer') return noFaults
    const { status, statusText, headers } = result.outcome
    const answer = { status, statusText, headers, json: result.errorJson }
    return explain(answer, { endpoint, problems: [], credential: undefined, nowMs: 0 })?.fields ?? noFaults
  }, [same, result, endpoint])
}

async function remember(store: Store, mode: Mode, sent: SentResult, credential: Credential): Promise<void> {
  const { outcome, draft, effective } = sent
  const { pathname, search } = new URL(effective.url)
  const isAnswer = outcome.kind === 'answer'
  const answer = isAnswer ? await keptOf(outcome) : undefined
  await keepHistory(
    store,
    {
      atMs: sent.receivedAtMs,
      mode,
      draft: { ...draft, credential: credential.ref },
      target: pathname + search,
      status: isAnswer ? outcome.status : (outcome.partial?.status ?? null),
      failure: isAnswer ? null : outcome.reason,
      totalMs: isAnswer ? responseMs(outcome.time) : outcome.totalMs,
      requestId: isAnswer ? (headerOf(outcome.headers, 'x-request-id') ?? null) : null,
    },
    answer,
    credential.secrets(),
  )
}

/** The answer of a history row, as it was shown then. */
function resultOf(row: HistoryRow, { headers, body, ...rest }: KeptAnswer, origin: string): SentResult | undefined {
  if (row.status === null) return undefined
  const blob = new Blob([body])
  let errorJson: unknown
  try {
    errorJson = row.status >= 400 ? JSON.parse(body) : undefined
  } catch {
    errorJson = undefined
  }
  return {
    outcome: {
      kind: 'answer',
      ...rest,
      status: row.status,
      statusText: '',
      headers,
      body: blob,
      time: splitTime(undefined, 0, row.totalMs, headers),
      sizes: { wire: undefined, decoded: blob.size },
    },
    draft: row.draft,
    effective: {
      method: row.draft.method,
      url: origin + row.target,
      headers: [],
      dropped: [],
      body: row.draft.body === '' ? undefined : row.draft.body,
      notes: [],
    },
    endpointId: endpoints.find(entry => entry.method === row.draft.method && entry.path === row.draft.path)?.id,
    credential: row.draft.credential.kind === 'none' ? undefined : { label: t('ofThen'), permissions: undefined },
    actingMode: row.mode,
    receivedAtMs: row.atMs,
    errorJson,
  }
}
