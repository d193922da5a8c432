// The editor of JSON bodies and the reader of answers, on CodeMirror's view and state. A bundle of its own, fetched when the
// Playground opens. Language, completion, faults and folding are ours: they know JSON and the endpoint, and weigh little.
import { history, historyField, historyKeymap } from '@codemirror/commands'
import { Compartment, EditorSelection, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import type { JsonSchema } from '@tandem/catalog'
import { completeJson } from '../json/json_complete.ts'
import { lintJson } from '../json/json_schema_lint.ts'
import { nodeAtField, readJson } from '../json/json_text.ts'
import type { Variable } from '../request/variables.ts'
import { t } from '../texts.ts'
import { bracketKeys, closeBrackets, pairsField, showPartner } from './brackets.ts'
import { idColours, jsonColours, variableColours } from './colours.ts'
import { completion } from './completion.ts'
import { type Fault, faultField, faultMarks } from './faults.ts'
import { folding, foldKeys } from './folding.ts'
import { moveKeys, writeKeys } from './keys.ts'
import { editorTheme } from './theme.ts'
import { typeOver } from './type_over.ts'

export type { Fault } from './faults.ts'

/** What the editor knows of the request around it; asked again each time. */
export type EditorFacts = {
  schema: JsonSchema | null
  variables: readonly Variable[]
  /** Faults the server found in exactly this text. */
  serverFaults: readonly { field: string; message: string }[]
}

export type Range = { from: number; to: number }
/** Found places: marked, and one of them gone to. */
export type Found = { matches: readonly Range[]; current: Range | undefined }

export type EditorOptions = {
  parent: HTMLElement
  text: string
  /** What `save` gave for the same text: brings undo steps and the cursor back. */
  saved?: unknown
  label: string
  nonce: string
  facts(): EditorFacts
  onChange(text: string): void
  onFaults(faults: readonly Fault[]): void
  /** Ctrl+F or Cmd+F was pressed. */
  onFind(): void
}

export type EditorHandle = {
  /** Replaces the text in one step that can be undone. */
  setText(text: string): void
  /** Looks at schema, variables and server faults again. */
  refresh(): void
  /** Puts the cursor on a field the server named. */
  showField(field: string): void
  showRange(range: Range): void
  showMatches(found: Found): void
  focus(): void
  save(): unknown
  destroy(): void
}

const factsChanged = StateEffect.define<null>()
const setFound = StateEffect.define<Found>()
const MAX_MARKS = 1_000
const matchMark = Decoration.mark({ class: 'cm-searchMatch' })
const currentMark = Decoration.mark({ class: 'cm-searchMatch cm-searchMatch-selected' })

const foundField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(setFound)) return marksOf(effect.value)
    return transaction.docChanged ? Decoration.none : marks
  },
  provide: field => EditorView.decorations.from(field),
})

function marksOf({ matches, current }: Found): DecorationSet {
  const first = current === undefined ? 0 : Math.max(0, matches.indexOf(current) - MAX_MARKS / 2)
  const near = matches.slice(first, first + MAX_MARKS)
  return Decoration.set(near.map(range => (range === current ? currentMark : matchMark).range(range.from, range.to)))
}

function common(label: string, nonce: string): Extension[] {
  return [
    // Whatever ends a line stays what it is: what is shown is what is sent, and places are those of the text.
    EditorState.lineSeparator.of('\n'),
    lineNumbers(),
    drawSelection(),
    highlightSpecialChars({ addSpecialChars: /[\u202a-\u202c\u2068]/g }),
    foundField,
    editorTheme,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    ...(nonce === '' ? [] : [EditorView.cspNonce.of(nonce)]),
  ]
}

const jsonParts: Extension[] = [pairsField, jsonColours, folding, showPartner]

/** An editor for the JSON body of a request. Escape, then Tab, leaves it by keyboard. */
export function createEditor(options: EditorOptions): EditorHandle {
  const { parent, text, label, nonce, facts, onChange, onFaults, onFind } = options
  const isKnown = (name: string) => facts().variables.some(variable => variable.name === name)
  const find = () => {
    onFind()
    return true
  }
  const extensions: Extension[] = [
    common(label, nonce),
    typeOver,
    jsonParts,
    history(),
    closeBrackets,
    highlightActiveLine(),
    highlightActiveLineGutter(),
    EditorState.tabSize.of(2),
    EditorView.lineWrapping,
    placeholder(t('editorEmpty')),
    completion((state, at) => completeJson(state.doc.toString(), at, facts().schema, facts().variables)),
    faultMarks(
      text => check(text, facts()),
      onFaults,
      update => update.transactions.some(({ effects }) => effects.some(effect => effect.is(factsChanged))),
    ),
    variableColours(isKnown, factsChanged),
    keymap.of([
      { key: 'Mod-f', run: find },
      { key: 'F8', run: view => goToFault(view) },
      ...bracketKeys,
      ...writeKeys,
      ...moveKeys,
      ...historyKeymap,
      ...foldKeys,
    ]),
    EditorView.updateListener.of(update => {
      if (update.docChanged) onChange(update.state.doc.toString())
    }),
  ]
  const view = new EditorView({ parent, state: stateOf(text, extensions, options.saved) })
  const showRange = ({ from, to }: Range) => {
    view.dispatch({ selection: EditorSelection.range(from, to), scrollIntoView: true })
    view.focus()
  }
  return {
    setText(next) {
      if (next === view.state.doc.toString()) return
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
    },
    refresh: () => view.dispatch({ effects: factsChanged.of(null) }),
    showField(field) {
      const { root } = readJson(view.state.doc.toString())
      showRange(root === undefined ? { from: 0, to: 0 } : nodeAtField(root, field))
    },
    showRange,
    showMatches: found => showMatches(view, found),
    focus: () => view.focus(),
    save: () => view.state.toJSON(savedFields),
    destroy: () => view.destroy(),
  }
}

const savedFields = { history: historyField }

/** The state that was saved, when it is of this very text; else a new one. */
function stateOf(text: string, extensions: Extension[], saved: unknown): EditorState {
  if (typeof saved === 'object' && saved !== null && (saved as { doc?: unknown }).doc === text) {
    return EditorState.fromJSON(saved, { extensions }, savedFields)
  }
  return EditorState.create({ doc: text, extensions })
}

function check(text: string, { schema, serverFaults }: EditorFacts): Fault[] {
  const own = lintJson(text, schema)
  const { root } = readJson(text)
  if (root === undefined) return own
  const reported = serverFaults.map(({ field, message }) => {
    const { from, to } = nodeAtField(root, field)
    return { from, to, message: t('serverFault', { field: field === '' ? t('theBody') : field, fault: message }) }
  })
  // What both say is said once, in our words.
  const lineOf = (at: number) => text.lastIndexOf('\n', at - 1)
  const marked = new Set(own.map(({ from }) => lineOf(from)))
  return [...own, ...reported.filter(({ from }) => !marked.has(lineOf(from)))]
}

/** F8: the next fault behind the cursor. */
function goToFault(view: EditorView): boolean {
  const faults = view.state.field(faultField)
  const { head } = view.state.selection.main
  const next = faults.find(fault => fault.from > head) ?? faults[0]
  if (next === undefined) return false
  view.dispatch({ selection: { anchor: next.from }, scrollIntoView: true })
  return true
}

function showMatches(view: EditorView, found: Found): void {
  const { current } = found
  view.dispatch({
    effects: [
      setFound.of(found),
      ...(current === undefined ? [] : [EditorView.scrollIntoView(current.from, { y: 'center' })]),
    ],
    ...(current === undefined ? {} : { selection: EditorSelection.range(current.from, current.to) }),
  })
}

export type ReaderOptions = {
  parent: HTMLElement
  text: string
  label: string
  nonce: string
  isJson: boolean
  wrap: boolean
  /** The place the reader looks at: a click, or the cursor keys. */
  onPlace(offset: number): void
  /** An id of ours was pressed. */
  onId(id: string): void
  onFind(): void
}

export type ReaderHandle = {
  setText(text: string): void
  setWrap(wrap: boolean): void
  showMatches(found: Found): void
  destroy(): void
}

/** A reader for text and JSON up to some megabytes: select, fold, find; nothing can be changed. */
export function createReader(options: ReaderOptions): ReaderHandle {
  const { parent, text, label, nonce, isJson, wrap, onPlace, onId, onFind } = options
  const wrapping = new Compartment()
  const find = () => {
    onFind()
    return true
  }
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        common(label, nonce),
        ...(isJson ? jsonParts : []),
        idColours,
        EditorState.readOnly.of(true),
        // Not contenteditable: a phone would show its keyboard. The cursor keys work all the same.
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ tabindex: '0', 'aria-readonly': 'true' }),
        wrapping.of(wrap ? EditorView.lineWrapping : []),
        keymap.of([{ key: 'Mod-f', run: find }, ...foldKeys, ...moveKeys]),
        EditorView.domEventHandlers({
          click(event) {
            const id = (event.target as HTMLElement).closest('.cm-id')?.textContent
            if (id != null && view.state.selection.main.empty) onId(id)
          },
        }),
        EditorView.updateListener.of(update => {
          if (update.selectionSet) onPlace(update.state.selection.main.head)
        }),
      ],
    }),
  })
  return {
    setText: next => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    setWrap: next => view.dispatch({ effects: wrapping.reconfigure(next ? EditorView.lineWrapping : []) }),
    showMatches: found => showMatches(view, found),
    destroy: () => view.destroy(),
  }
}
