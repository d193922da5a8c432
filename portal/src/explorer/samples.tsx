// What to send and what comes back: the sample request in the reader's language, the sample replies by status.
import {
  type CodeSample,
  type Endpoint,
  type Reply,
  type ReplyExample,
  type RequestValue,
  type SampleLanguage,
  sampleKinds,
  sampleRequest,
  scopeFor,
  toCurl,
  tokenRequest,
} from '@tandem/catalog'
import { useEffect, useMemo, useState } from 'react'
import { CodeBlock } from '../ui/code.tsx'
import { HttpStatus, SegmentedControl, SelectField, TextLink } from '../ui/index.ts'
import { colouredCode } from './coloured_code.tsx'
import styles from './endpoint.module.css'
import { setLanguage, useLanguage } from './language.ts'
import { t } from './texts.ts'

/** The environment variable that stands in samples for the key or token. */
const tokenVariable = 'TANDEM_TOKEN'

/** The sample in a language: cURL at once, others when their writers have come; undefined until then. */
function useSample(request: RequestValue, chosen: string, endpoint?: Endpoint) {
  const [samples, setSamples] = useState<{ of: RequestValue; all: readonly CodeSample[] }>()
  const kinds = useMemo(() => sampleKinds(request), [request])
  // The SDK has no method for what is no endpoint of ours: its readers read JavaScript.
  const hasMethod = endpoint !== undefined && endpoint.version !== 'oauth'
  const wanted = !hasMethod && chosen === 'typescript' ? 'javascript' : chosen
  const language = kinds.find(kind => kind.language === wanted)?.language ?? 'curl'
  const isCurl = language === 'curl'
  useEffect(() => {
    if (isCurl) return undefined
    let isLeft = false
    void import('./all_samples.ts').then(({ samplesFor }) => {
      const of = endpoint === undefined ? {} : { endpoint }
      if (!isLeft) setSamples({ of: request, all: samplesFor(request, { ...of, tokenVariable }) })
    })
    return () => {
      isLeft = true
    }
  }, [isCurl, request, endpoint])
  const all = samples?.of === request ? samples.all : undefined
  const found = all?.find(sample => sample.language === language)
  const isPending = !isCurl && all === undefined
  const shown = isPending ? language : (found?.language ?? 'curl')
  const code = isPending ? '' : (found?.code ?? toCurl(request, tokenVariable))
  return { kinds: all ?? kinds, shown, code }
}

export function SampleRequest({ endpoint }: { endpoint: Endpoint }) {
  const [credential, setCredential] = useState<'key' | 'oauth'>('key')
  const request = useMemo(() => sampleRequest(endpoint, window.location.origin, tokenVariable), [endpoint])
  const { kinds, shown, code } = useSample(request, useLanguage(), endpoint)
  const scope = scopeFor(endpoint)
  return (
    <div className={styles['sample']}>
      {scope !== undefined && (
        <SegmentedControl<'key' | 'oauth'>
          label={t('sampleCredential')}
          options={[
            { value: 'key', label: t('apiKey') },
            { value: 'oauth', label: t('oauthToken') },
          ]}
          value={credential}
          onChange={setCredential}
        />
      )}
      {scope !== undefined && credential === 'oauth' && <TokenSample scope={scope} />}
      <CodeBlock
        label={t('sampleRequest')}
        code={code}
        coloured={colouredCode(code, shown)}
        actions={
          <SelectField
            hideLabel
            label={t('sampleLanguage')}
            className={styles['languages']}
            options={kinds.map(kind => ({ value: kind.language, label: `${kind.label}, ${kind.library}` }))}
            value={shown}
            onChange={event => setLanguage(event.target.value as SampleLanguage)}
          />
        }
      />
      {endpoint.permission.level !== 'public' && (scope === undefined || credential === 'key') && (
        <p className={styles['note']}>
          {t.rich('sampleKey', { variable: tokenVariable, link: text => <TextLink to="/keys">{text}</TextLink> })}
        </p>
      )}
    </div>
  )
}

/** How the token is had that the sample sends. */
function TokenSample({ scope }: { scope: string }) {
  const request = useMemo(() => tokenRequest(scope, window.location.origin), [scope])
  const { shown, code } = useSample(request, useLanguage())
  return (
    <>
      <CodeBlock label={t('getToken')} code={code} coloured={colouredCode(code, shown)} />
      <p className={styles['note']}>
        {t.rich('sampleToken', { variable: tokenVariable, link: text => <TextLink to="/apps">{text}</TextLink> })}
      </p>
    </>
  )
}

export function SampleReplies({ replies }: { replies: readonly Reply[] }) {
  const [status, setStatus] = useState(replies[0]?.status ?? 200)
  const [index, setIndex] = useState(0)
  const reply = replies.find(own => own.status === status)
  if (reply === undefined) return null
  const example = reply.examples[index]
  const options = replies.map(own => ({ value: String(own.status), label: String(own.status), title: own.reason }))
  return (
    <div className={styles['sample']}>
      <SegmentedControl
        label={t('sampleStatus')}
        className={styles['statuses']}
        options={options}
        value={String(status)}
        onChange={next => {
          setStatus(Number(next))
          setIndex(0)
        }}
      />
      <div className={styles['replyLine']}>
        <HttpStatus status={reply.status} reason={reply.reason} />
        {reply.examples.length > 1 ? (
          <SelectField
            hideLabel
            label={t('sampleProblem')}
            options={reply.examples.map((own, at) => ({ value: String(at), label: nameOf(own) }))}
            value={String(index)}
            onChange={event => setIndex(Number(event.target.value))}
          />
        ) : (
          <span className={styles['muted']}>{example === undefined ? t('noBody') : nameOf(example)}</span>
        )}
      </div>
      {example === undefined ? (
        <p className={styles['muted']}>{reply.description}</p>
      ) : (
        <CodeBlock label={t('sampleReply')} {...bodyOf(example)} />
      )}
    </div>
  )
}

function nameOf({ name, problem }: ReplyExample): string {
  return problem === undefined ? name : `${name} (${problem})`
}

function bodyOf({ value }: ReplyExample): { code: string; language: string } {
  if (typeof value === 'string') return { code: value, language: 'text' }
  return { code: JSON.stringify(value, null, 2), language: 'json' }
}
