// The Playground: choose an endpoint, write the request, send it for real, read the answer. Everything that shows or sends
// the request reads one value, `effective`.
import { Braces, FolderOpen, History, Link2, Terminal } from 'lucide-react'
import { type ComponentProps, lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useInspect } from '../navigation/inspect.ts'
import { type Mode, useSession } from '../session/session.ts'
import { Button, useDocumentTitle } from '../ui/index.ts'
import { isComposing } from '../ui/input_method.ts'
import type { RunWish } from './collections/content.ts'
import { useRights } from './collections/queries.ts'
import type { JsonEditorHandle } from './editor/json_editor.tsx'
import { CopyAs } from './parts/code_panel.tsx'
import { EnvironmentMenu } from './parts/environment_menu.tsx'
import { SavedTitle } from './parts/saved_title.tsx'
import styles from './parts/screen.module.css'
import { SendButton } from './parts/send_button.tsx'
import { CredentialPicker } from './request_panel/credential_picker.tsx'
import { LiveQuestion, WithheldNote } from './request_panel/live_question.tsx'
import { PathInputs } from './request_panel/path_inputs.tsx'
import { Picker } from './request_panel/picker.tsx'
import { Notes, RequestPanel, type RequestTab } from './request_panel/request_panel.tsx'
import { ResponsePanel } from './response_panel/response_panel.tsx'
import { type FieldFault, placeOfField } from './sending/explain.ts'
import { type Playground, usePlayground } from './state/use_playground.ts'
import { t } from './texts.ts'

type Panel = 'history' | 'collections' | 'save' | 'environments' | 'variables' | 'curl'

// What few of those who send a request open, is loaded when they do.
const CollectionsDrawer = lazy(() =>
  import('./drawers/collections_drawer.tsx').then(module => ({ default: module.CollectionsDrawer })),
)
const SaveDialog = lazy(() => import('./drawers/save_dialog.tsx').then(module => ({ default: module.SaveDialog })))
const EnvironmentsDrawer = lazy(() =>
  import('./drawers/environments_drawer.tsx').then(module => ({ default: module.EnvironmentsDrawer })),
)
const HistoryDrawer = lazy(() =>
  import('./drawers/history_drawer.tsx').then(module => ({ default: module.HistoryDrawer })),
)
const VariablesDrawer = lazy(() =>
  import('./drawers/variables_drawer.tsx').then(module => ({ default: module.VariablesDrawer })),
)
const BindDialog = lazy(() => import('./drawers/variables_drawer.tsx').then(module => ({ default: module.BindDialog })))
const CurlDialog = lazy(() =>
  import('./request_panel/curl_dialog.tsx').then(module => ({ default: module.CurlDialog })),
)
const ConflictDialog = lazy(() =>
  import('./drawers/conflict_dialog.tsx').then(module => ({ default: module.ConflictDialog })),
)
const RunnerDialog = lazy(() => import('./runner/runner_dialog.tsx').then(module => ({ default: module.RunnerDialog })))

export function PlaygroundScreen() {
  useDocumentTitle(t('playground'))
  const { mode } = useSession()
  const { inspect } = useInspect()
  const play = usePlayground()
  const { draft, effective, credential, result, sender } = play
  const [panel, setPanel] = useState<Panel>()
  const [tab, setTab] = useRequestTab(draft.draft.method, draft.draft.path)
  const editor = useRef<JsonEditorHandle>(null)

  const latest = useRef(play)
  latest.current = play
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.altKey || isComposing(event)) return
      if (document.querySelector('[role="dialog"]') !== null) return
      event.preventDefault()
      event.stopPropagation()
      latest.current.send()
    }
    // Before the editor, to which the same keys mean a new line.
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [])

  const columns = useRef<HTMLDivElement>(null)
  const receivedAtMs = result?.receivedAtMs
  const shownAtMs = useRef(receivedAtMs)
  useEffect(() => {
    if (receivedAtMs === shownAtMs.current) return
    shownAtMs.current = receivedAtMs
    // Where the answer lies below the request, it is brought into sight.
    const status = columns.current?.querySelector('[data-testid="status"]')
    const answer = status?.closest('section')
    if (answer != null && answer.getBoundingClientRect().top > window.innerHeight * 0.7) answer.scrollIntoView()
  }, [receivedAtMs])

  const showField = (fault: FieldFault) => {
    const place = placeOfField(fault.field, draft.endpoint)
    if (place === 'path') {
      document.querySelector<HTMLInputElement>(`[data-path-value="${CSS.escape(fault.field)}"]`)?.focus()
      return
    }
    setTab(place)
    if (place === 'body') requestAnimationFrame(() => editor.current?.showField(fault.field))
  }
  const missing = [...new Set(effective.notes.flatMap(note => note.variable ?? []))]

  if (!draft.ready) return <div className={styles['screen']} role="status" aria-label={t('loadingPlayground')} />
  return (
    <div className={styles['screen']}>
      <Head play={play} onPanel={setPanel} />
      <Picker draft={draft} />
      <div className={styles['address']}>
        <PathInputs
          draft={draft.draft}
          origin={play.origin}
          effective={effective}
          onValue={play.setPathValue}
          onPath={play.openPath}
          onCurl={text => void play.takeCurl(text)}
        />
        <SendButton
          sending={sender.sending}
          disabled={!play.canSend}
          onSend={() => play.send()}
          onCancel={sender.cancel}
        />
      </div>
      <CredentialPicker
        credential={credential}
        acting={play.acting}
        endpoint={draft.endpoint}
        isDocumented={draft.entry !== undefined}
        mode={mode}
      />
      <WithheldNote withheld={draft.withheld} onFill={draft.fillIn} />
      <Notes notes={effective.notes} onTab={setTab} />
      <div
        ref={columns}
        className={styles['columns']}
        data-answered={result?.outcome.kind === 'answer' && sender.sending === undefined}
      >
        <RequestPanel
          {...{ draft, effective }}
          file={play.file}
          variables={play.known}
          saved={play.saved}
          faults={play.faults}
          tab={tab}
          onTab={setTab}
          editor={editor}
        />
        <ResponsePanel
          result={result}
          sending={sender.sending}
          isCurrent={result?.draft.method === draft.draft.method && result.draft.path === draft.draft.path}
          endpoint={play.resultEndpoint}
          onField={showField}
          onMethod={method => void draft.open(method, draft.draft.path)}
          onResend={() => play.send()}
          onVariable={play.bind}
          onCredential={text => credential.paste(text)}
          onInspect={inspect}
        />
      </div>
      <Panels panel={panel} onPanel={setPanel} play={play} mode={mode} missing={missing} />
      <LiveQuestion asking={play.asking} onAnswer={play.answer} />
    </div>
  )
}

type HeadProps = { play: Playground; onPanel(panel: Panel): void }

/** What is on the screen, and the way to what is kept. */
function Head({ play, onPanel }: HeadProps) {
  const rights = useRights()
  return (
    <header className={styles['head']}>
      <div className={styles['title']}>
        <h1>{t('playground')}</h1>
        {rights.reads && <SavedTitle saved={play.saved} writes={rights.writes} onSaveAs={() => onPanel('save')} />}
      </div>
      <div className={styles['actions']}>
        {rights.reads && <EnvironmentMenu environment={play.environment} onManage={() => onPanel('environments')} />}
        <Button size="sm" variant="ghost" icon={<History size={14} />} onClick={() => onPanel('history')}>
          {t('history')}
        </Button>
        {rights.reads && (
          <Button size="sm" variant="ghost" icon={<FolderOpen size={14} />} onClick={() => onPanel('collections')}>
            {t('collections')}
          </Button>
        )}
        <Button size="sm" variant="ghost" icon={<Braces size={14} />} onClick={() => onPanel('variables')}>
          {t('variablesCount', { count: play.variables.list.length })}
        </Button>
        <Button size="sm" variant="ghost" icon={<Terminal size={14} />} onClick={() => onPanel('curl')}>
          {t('pasteCurl')}
        </Button>
        <CopyAs effective={play.effective} endpoint={play.draft.endpoint} />
        <Button size="sm" variant="ghost" icon={<Link2 size={14} />} onClick={() => void play.share()}>
          {t('share')}
        </Button>
      </div>
    </header>
  )
}

type PanelsProps = {
  panel: Panel | undefined
  onPanel(panel: Panel | undefined): void
  play: Playground
  mode: Mode
  /** Variables of the request that have no value. */
  missing: readonly string[]
}

/** What opens beside the request. Each is there from when it was first asked for. */
function Panels({ panel, onPanel, play, mode, missing }: PanelsProps) {
  const { draft, store, variables, environment, binding } = play
  const asked = useRef(new Set<Panel>())
  if (panel !== undefined) asked.current.add(panel)
  const isAsked = (name: Panel) => asked.current.has(name)
  const props = (name: Panel) => ({
    open: panel === name,
    onOpenChange: (open: boolean) => onPanel(open ? name : undefined),
  })
  const recall: ComponentProps<typeof HistoryDrawer>['onPick'] = row => {
    onPanel(undefined)
    void play.recall(row)
  }
  return (
    <Suspense fallback={null}>
      {isAsked('history') && <HistoryDrawer {...props('history')} store={store} mode={mode} onPick={recall} />}
      {isAsked('variables') && (
        <VariablesDrawer {...props('variables')} {...{ mode, variables, environment, missing }} />
      )}
      {isAsked('curl') && <CurlDialog {...props('curl')} onCurl={play.takeCurl} />}
      {binding !== undefined && (
        <BindDialog
          binding={binding}
          taken={variables.list}
          onClose={() => play.closeBinding()}
          onBind={variable => {
            variables.set(variable)
            play.closeBinding()
          }}
        />
      )}
      {isAsked('save') && (
        <SaveDialog
          {...props('save')}
          saved={play.saved}
          suggestedName={draft.entry?.name ?? `${draft.draft.method} ${draft.draft.path}`}
        />
      )}
      {isAsked('environments') && <EnvironmentsDrawer {...props('environments')} environment={environment} />}
      <TeamPanels isAsked={isAsked('collections')} {...props('collections')} play={play} />
    </Suspense>
  )
}

type TeamPanelsProps = { isAsked: boolean; open: boolean; onOpenChange(open: boolean): void; play: Playground }

/** Collections, what two people wrote on one request, and runs. */
function TeamPanels({ isAsked, open, onOpenChange, play }: TeamPanelsProps) {
  const [running, setRunning] = useState<RunWish>()
  const { saved, store, credential, environment } = play
  return (
    <>
      {isAsked && (
        <CollectionsDrawer
          {...{ open, onOpenChange, store, saved, environment }}
          secrets={credential.secrets}
          onRun={setRunning}
        />
      )}
      {saved.conflict !== undefined && <ConflictDialog saved={saved} />}
      {running !== undefined && <RunnerDialog wish={running} play={play} onClose={() => setRunning(undefined)} />}
    </>
  )
}

/** Begins on the part that matters for the request; what one chose stays for that request. */
function useRequestTab(method: string, path: string) {
  const natural: RequestTab = ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method) ? 'query' : 'body'
  const key = `${method} ${path}`
  const [chosen, setChosen] = useState<{ key: string; tab: RequestTab }>()
  const tab = useMemo(() => (chosen?.key === key ? chosen.tab : natural), [chosen, key, natural])
  const choose = useCallback((next: RequestTab) => setChosen({ key, tab: next }), [key])
  return [tab, choose] as const
}
