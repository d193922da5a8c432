// What Tandem and the remote party said to each other in a call by a trunk: a ladder of SIP messages, each a rung that opens the whole
// message. It is what a carrier asks for when a call went wrong.
import type { CallsTraceReply } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CodeBlock, CopyButton } from '../ui/code.tsx'
import { Button, Card, Dialog, durationText, ErrorState, LoadingRows } from '../ui/index.ts'
import styles from './calls.module.css'
import { t } from './texts.ts'

export type SipMessage = CallsTraceReply['messages'][number]

/** The server writes what was said half a second later. */
const writtenMs = 1_000

export type LadderCardProps = {
  callId: string
  /** Grows with what happens in the call: then there is more to read. */
  version: number
  /** The call is over: what is stored of it is all. */
  isOver: boolean
}
export function LadderCard({ callId, version, isOver }: LadderCardProps) {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'call', callId, 'trace'],
    queryFn: ({ signal }) => api.calls.trace({ callId }, { signal }),
  })
  const { refetch } = query
  // Of a call under way the last messages may not be written yet when they are read first.
  const seen = useRef(isOver ? version : -1)
  useEffect(() => {
    if (seen.current === version) return undefined
    const timer = setTimeout(() => {
      seen.current = version
      void refetch()
    }, writtenMs)
    return () => clearTimeout(timer)
  }, [version, refetch])
  const messages = query.data?.messages ?? []
  const actions = (
    <>
      {messages.length > 0 && (
        <CopyButton showLabel label={t('copyAll')} text={() => messages.map(wholeText).join('\n')} size="sm" />
      )}
      <Button size="sm" busy={query.isFetching && !query.isPending} onClick={() => void refetch()}>
        {t('readAgain')}
      </Button>
    </>
  )
  return (
    <Card title={t('sip')} actions={query.data === undefined ? undefined : actions}>
      {query.isPending ? (
        <LoadingRows label={t('sipLoading')} rows={4} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void refetch()} />
      ) : messages.length === 0 ? (
        <p className={styles['quiet']}>{t('sipNone')}</p>
      ) : (
        <Ladder messages={messages} />
      )}
    </Card>
  )
}

/** As it goes to a carrier: when, which way, and every line of it. */
function wholeText({ at, direction, remote, transport, message }: SipMessage): string {
  return `--- ${at} ${direction === 'sent' ? 'to' : 'from'} ${remote}, ${transport}\n${message}`
}

/** Since the first message: `0 ms`, `+12 ms`, `+3.40 s`. */
export function offsetText(atMs: number, firstMs: number): string {
  const ms = atMs - firstMs
  return ms <= 0 ? '0 ms' : `+${ms < 10 ? `${ms} ms` : durationText(ms)}`
}

export function Ladder({ messages }: { messages: readonly SipMessage[] }) {
  const [open, setOpen] = useState<number>()
  const shown = open === undefined ? undefined : messages[open]
  const firstMs = Date.parse(messages[0]?.at ?? '')
  const remotes = [...new Set(messages.map(({ remote }) => remote))]
  return (
    <>
      <div className={styles['sides']} aria-hidden="true">
        <b>Tandem</b>
        <b>{remotes.length === 1 ? remotes[0] : t('sipRemote')}</b>
      </div>
      <ol className={styles['ladder']} aria-label={t('sipOf')}>
        {messages.map((message, index) => (
          <li key={message.position}>
            <button
              type="button"
              className={styles['rung']}
              data-direction={message.direction}
              data-tone={toneOf(message.summary)}
              aria-label={t('sipRung', {
                summary: message.summary,
                direction: message.direction,
                offset: offsetText(Date.parse(message.at), firstMs),
              })}
              onClick={() => setOpen(index)}
            >
              <span className={styles['offset']}>{offsetText(Date.parse(message.at), firstMs)}</span>
              <span className={styles['lane']}>
                <span className={styles['summary']}>{message.summary}</span>
                <span className={styles['arrow']} />
                {remotes.length > 1 && <span className={styles['remote']}>{message.remote}</span>}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {shown !== undefined && open !== undefined && (
        <Dialog
          open
          wide
          onOpenChange={next => !next && setOpen(undefined)}
          title={shown.summary}
          description={t('sipText', {
            direction: shown.direction,
            remote: shown.remote,
            transport: shown.transport,
            at: shown.at,
          })}
          footer={
            <>
              <Button disabled={open === 0} onClick={() => setOpen(open - 1)}>
                {t('previous')}
              </Button>
              <Button disabled={open === messages.length - 1} onClick={() => setOpen(open + 1)}>
                {t('next')}
              </Button>
            </>
          }
        >
          <CodeBlock code={shown.message.replaceAll('\r\n', '\n').trimEnd()} label={t('wholeMessage')} wrap />
        </Dialog>
      )}
    </>
  )
}

/** Refusals stand out, and answers that took the call. */
function toneOf(summary: string): 'ok' | 'bad' | undefined {
  const status = Number(/^\d{3}/.exec(summary)?.[0])
  if (status >= 400 && status !== 401 && status !== 407) return 'bad'
  return status >= 200 && status < 300 ? 'ok' : undefined
}
