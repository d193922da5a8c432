// A run of a collection or folder: what will be sent, how it goes, and a table of what came of it.
import type { SavedRequest } from '@tandem/sdk'
import { Play, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import {
  Button,
  CheckboxField,
  Chip,
  ConfirmDialog,
  Dialog,
  durationText,
  HttpStatus,
  MethodBadge,
} from '../../ui/index.ts'
import { draftOfRequest } from '../collections/content.ts'
import type { RunWish } from '../drawers/collections_drawer.tsx'
import { isReading } from '../request/careful.ts'
import { effectiveRequest } from '../request/request.ts'
import { TestList } from '../response_panel/test_results.tsx'
import { sendRequest } from '../sending/send.ts'
import { actingCredential, type Playground } from '../state/use_playground.ts'
import { summaryOf } from '../tests/answer.ts'
import { countText, type RunRow, type RunState, run } from './run.ts'
import styles from './runner.module.css'

export type RunnerDialogProps = { wish: RunWish; play: Playground; onClose(): void }

export function RunnerDialog({ wish, play, onClose }: RunnerDialogProps) {
  const { credential, acting, lookup, origin, environment } = play
  const { requests } = wish
  const [rows, setRows] = useState<readonly RunRow[]>(() => requests.map(request => ({ request, state: 'waiting' })))
  const [stopOnFailure, setStopOnFailure] = useState(true)
  const [asking, setAsking] = useState(false)
  const [phase, setPhase] = useState<'ready' | 'running' | 'done'>('ready')
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  const changing = requests.filter(request => {
    if (isReading(request.method)) return false
    const effective = effectiveRequest(draftOfRequest(request), { origin, lookup, token: credential.token })
    return actingCredential(effective, credential).mode === 'live'
  })
  const start = async (allowed: readonly SavedRequest[]) => {
    const controller = new AbortController()
    stop.current = controller
    setPhase('running')
    setRows(requests.map(request => ({ request, state: 'waiting' })))
    const done = await run({
      ...{ requests, origin, lookup, stopOnFailure, signal: controller.signal },
      resolve: () => credential.resolve(),
      modeOf: effective => actingCredential(effective, credential).mode,
      allowed: new Set(allowed.map(({ requestId }) => requestId)),
      send: (effective, signal) => sendRequest(effective, { signal }),
      onRow: (index, row) => setRows(before => before.map((each, at) => (at === index ? row : each))),
    })
    setRows(done)
    setPhase('done')
  }
  const totalMs = rows.reduce((sum, row) => sum + (row.totalMs ?? 0), 0)
  const who = acting.facts?.label ?? 'nobody'

  return (
    <Dialog
      open
      wide
      onOpenChange={open => !open && onClose()}
      title={`Run ${wish.name}`}
      description={`${requests.length} ${requests.length === 1 ? 'request' : 'requests'} in order, as ${who}, in ${acting.mode} mode, ${environment.chosen === undefined ? 'without an environment' : `with ${environment.chosen.name}`}. What one answer gives, the next can use.`}
      footer={
        <>
          <CheckboxField
            label="Stop at the first failure"
            checked={stopOnFailure}
            disabled={phase === 'running'}
            onChange={event => setStopOnFailure(event.target.checked)}
          />
          <span className={styles['spacer']} />
          <Button onClick={onClose}>Close</Button>
          {phase === 'running' ? (
            <Button variant="danger" icon={<Square size={13} />} onClick={() => stop.current?.abort()}>
              Cancel the run
            </Button>
          ) : (
            <Button
              variant="primary"
              icon={<Play size={14} />}
              disabled={requests.length === 0}
              onClick={() => (changing.length > 0 ? setAsking(true) : void start([]))}
            >
              {phase === 'done' ? 'Run again' : 'Run'}
            </Button>
          )}
        </>
      }
    >
      <p className={styles['summary']} role="status">
        {phase === 'done' && `Done in ${durationText(totalMs)}: ${countText(rows)}.`}
        {phase === 'running' && 'Running'}
      </p>
      <div className={styles['scroll']}>
        <table className={styles['table']}>
          <caption className="visually-hidden">Results</caption>
          <thead>
            <tr>
              <th scope="col">Request</th>
              <th scope="col">Result</th>
              <th scope="col">Status</th>
              <th scope="col">Time</th>
              <th scope="col">Tests</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <ResultRows key={row.request.requestId} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="This is live mode"
        description={`${changing.length === 1 ? 'One request changes' : `${changing.length} requests change`} live data, and may cost money:`}
        confirmLabel="Run for real"
        danger
        onConfirm={() => {
          setAsking(false)
          void start(changing)
        }}
      >
        <ul className={styles['changing']}>
          {changing.map(({ requestId, method, name, path }) => (
            <li key={requestId}>
              <MethodBadge method={method} /> <b>{name}</b> <code>{path}</code>
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </Dialog>
  )
}

const tones = {
  passed: 'ok',
  failed: 'bad',
  running: 'info',
  waiting: 'neutral',
  skipped: 'neutral',
  canceled: 'warn',
} as const
const words: Readonly<Record<RunState, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  running: 'Running',
  waiting: 'Waiting',
  skipped: 'Skipped',
  canceled: 'Canceled',
}

function ResultRows({ row }: { row: RunRow }) {
  const { request, state, status, totalMs, tested, why } = row
  const [isOpen, setIsOpen] = useState<boolean>()
  const summary = tested === undefined ? undefined : summaryOf(tested)
  const hasDetails = tested !== undefined && tested.results.length + tested.taken.length + tested.missed.length > 0
  const shows = hasDetails && (isOpen ?? state === 'failed')
  return (
    <>
      <tr data-state={state}>
        <th scope="row">
          <MethodBadge method={request.method} /> {request.name}
        </th>
        <td>
          <Chip tone={tones[state]} dot>
            {words[state]}
          </Chip>
        </td>
        <td>{status !== undefined && <HttpStatus status={status} />}</td>
        <td className={styles['number']}>{totalMs !== undefined && durationText(totalMs)}</td>
        <td>
          {hasDetails && (
            <button
              type="button"
              className={styles['details']}
              aria-expanded={shows}
              aria-label={`Tests of ${request.name}: ${summary?.text ?? ''}`}
              onClick={() => setIsOpen(!shows)}
            >
              {summary?.text || 'Details'}
            </button>
          )}
        </td>
      </tr>
      {(shows || why !== undefined) && (
        <tr>
          <td colSpan={5} className={styles['detail']}>
            {why !== undefined && <p>{why}</p>}
            {shows && tested !== undefined && <TestList tested={tested} />}
          </td>
        </tr>
      )}
    </>
  )
}
