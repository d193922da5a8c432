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
import { draftOfRequest, type RunWish } from '../collections/content.ts'
import { isReading } from '../request/careful.ts'
import { effectiveRequest } from '../request/request.ts'
import { TestList } from '../response_panel/test_results.tsx'
import { sendRequest } from '../sending/send.ts'
import { actingCredential, type Playground } from '../state/use_playground.ts'
import { summaryOf } from '../tests/answer.ts'
import { t } from '../texts.ts'
import { countText, type RunRow, run } from './run.ts'
import styles from './runner.module.css'

export type RunnerDialogProps = { wish: RunWish; play: Playground; onClose(): void }

type Phase = 'ready' | 'running' | 'done'

/** The run of the dialog: its rows as they come in, and what starts and ends it. */
function useRun(requests: readonly SavedRequest[], { credential, lookup, origin }: Playground) {
  const waiting = () => requests.map((request): RunRow => ({ request, state: 'waiting' }))
  const [rows, setRows] = useState<readonly RunRow[]>(waiting)
  const [stopOnFailure, setStopOnFailure] = useState(true)
  const [phase, setPhase] = useState<Phase>('ready')
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
    setRows(waiting())
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
  return { rows, phase, changing, start, stopOnFailure, setStopOnFailure, cancel: () => stop.current?.abort() }
}

export function RunnerDialog({ wish, play, onClose }: RunnerDialogProps) {
  const { requests } = wish
  const running = useRun(requests, play)
  const { rows, phase, changing, start } = running
  const [asking, setAsking] = useState(false)
  const totalMs = rows.reduce((sum, row) => sum + (row.totalMs ?? 0), 0)
  return (
    <Dialog
      open
      wide
      onOpenChange={open => !open && onClose()}
      title={t('runNamed', { name: wish.name })}
      description={aboutRun(requests.length, play)}
      footer={
        <>
          <CheckboxField
            label={t('stopAtFailure')}
            checked={running.stopOnFailure}
            disabled={phase === 'running'}
            onChange={event => running.setStopOnFailure(event.target.checked)}
          />
          <span className={styles['spacer']} />
          <Button onClick={onClose}>{t('close')}</Button>
          {phase === 'running' ? (
            <Button variant="danger" icon={<Square size={13} />} onClick={running.cancel}>
              {t('cancelRun')}
            </Button>
          ) : (
            <Button
              variant="primary"
              icon={<Play size={14} />}
              disabled={requests.length === 0}
              onClick={() => (changing.length > 0 ? setAsking(true) : void start([]))}
            >
              {t(phase === 'done' ? 'runAgain' : 'run')}
            </Button>
          )}
        </>
      }
    >
      <p className={styles['summary']} role="status">
        {phase === 'done' && t('runDone', { time: durationText(totalMs), counts: countText(rows) })}
        {phase === 'running' && t('state.running')}
      </p>
      <ResultTable rows={rows} />
      <LiveRunQuestion
        open={asking}
        changing={changing}
        onOpenChange={setAsking}
        onConfirm={() => {
          setAsking(false)
          void start(changing)
        }}
      />
    </Dialog>
  )
}

function aboutRun(count: number, { acting, environment }: Playground): string {
  return t('runAbout', {
    count,
    mode: acting.mode,
    who: acting.facts?.label ?? t('noCredential'),
    environment: environment.chosen?.name ?? t('noEnvironment'),
  })
}

type LiveRunQuestionProps = {
  open: boolean
  changing: readonly SavedRequest[]
  onOpenChange(open: boolean): void
  onConfirm(): void
}

/** Asked once a run, with the names of what changes something. */
function LiveRunQuestion({ open, changing, onOpenChange, onConfirm }: LiveRunQuestionProps) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('liveTitle')}
      description={t('runLiveText', { count: changing.length })}
      confirmLabel={t('runForReal')}
      danger
      onConfirm={onConfirm}
    >
      <ul className={styles['changing']}>
        {changing.map(({ requestId, method, name, path }) => (
          <li key={requestId}>
            <MethodBadge method={method} /> <b>{name}</b> <code>{path}</code>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}

function ResultTable({ rows }: { rows: readonly RunRow[] }) {
  return (
    <div className={styles['scroll']}>
      <table className={styles['table']}>
        <caption className="visually-hidden">{t('results')}</caption>
        <thead>
          <tr>
            {(['request', 'result', 'status', 'time', 'tests'] as const).map(name => (
              <th key={name} scope="col">
                {t(`column.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <ResultRows key={row.request.requestId} row={row} />
          ))}
        </tbody>
      </table>
    </div>
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
            {t(`state.${state}`)}
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
              aria-label={t('testsOf', { name: request.name, summary: summary?.text ?? '' })}
              onClick={() => setIsOpen(!shows)}
            >
              {summary?.text || t('details')}
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
