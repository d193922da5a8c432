// What to send and what comes back: the sample request in the reader's language, the sample replies by status.
import {
  type Endpoint,
  type Reply,
  type ReplyExample,
  type SampleLanguage,
  sampleRequest,
  samplesFor,
} from '@tandem/catalog'
import { useMemo, useState } from 'react'
import { CodeBlock, HttpStatus, SegmentedControl, SelectField, TextLink } from '../ui/index.ts'
import { colouredCode } from './coloured_code.tsx'
import styles from './endpoint.module.css'
import { setLanguage, useLanguage } from './language.ts'

/** The environment variable that stands in samples for the key. */
const tokenVariable = 'TANDEM_TOKEN'

export function SampleRequest({ endpoint }: { endpoint: Endpoint }) {
  const language = useLanguage()
  const samples = useMemo(() => {
    const request = sampleRequest(endpoint, window.location.origin, tokenVariable)
    return samplesFor(request, { endpoint, tokenVariable })
  }, [endpoint])
  const sample = samples.find(({ language: own }) => own === language) ?? samples[0]
  if (sample === undefined) return null
  return (
    <div className={styles['sample']}>
      <CodeBlock
        label="Sample request"
        code={sample.code}
        coloured={colouredCode(sample.code, sample.language)}
        actions={
          <SelectField
            hideLabel
            label="Language of the sample"
            className={styles['languages']}
            options={samples.map(own => ({ value: own.language, label: `${own.label}, ${own.library}` }))}
            value={sample.language}
            onChange={event => setLanguage(event.target.value as SampleLanguage)}
          />
        }
      />
      {endpoint.permission.level !== 'public' && (
        <p className={styles['note']}>
          Reads an API key or access token from <code>{tokenVariable}</code>.{' '}
          <TextLink to="/keys">Create a key</TextLink>
        </p>
      )}
    </div>
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
        label="Status of the sample reply"
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
            label="Problem of the sample reply"
            options={reply.examples.map((own, at) => ({ value: String(at), label: nameOf(own) }))}
            value={String(index)}
            onChange={event => setIndex(Number(event.target.value))}
          />
        ) : (
          <span className={styles['muted']}>{example === undefined ? 'No body' : nameOf(example)}</span>
        )}
      </div>
      {example === undefined ? (
        <p className={styles['muted']}>{reply.description}</p>
      ) : (
        <CodeBlock label="Sample reply" {...bodyOf(example)} />
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
