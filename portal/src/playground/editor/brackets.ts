// Brackets and quotes: pairs that are typed together, the partner of the one beside the cursor, and line breaks that indent.
import {
  EditorSelection,
  type EditorState,
  type Extension,
  type StateCommand,
  StateField,
  type Text,
} from '@codemirror/state'
import { Decoration, EditorView, type KeyBinding, ViewPlugin } from '@codemirror/view'
import { bracketPairs, type Pair, pairBeside } from './bracket_pairs.ts'

/** All pairs of the text, found again when it changes. */
export const pairsField = StateField.define<readonly Pair[]>({
  create: state => bracketPairs(state.doc.toString()),
  update: (pairs, transaction) => (transaction.docChanged ? bracketPairs(transaction.newDoc.toString()) : pairs),
})

const partner = Decoration.mark({ class: 'cm-matchingBracket' })

/** Marks the bracket beside the cursor and its partner. */
export const showPartner: Extension = ViewPlugin.define(
  view => {
    const marks = (state: EditorState) => {
      const { main } = state.selection
      const pair = main.empty ? pairBeside(state.field(pairsField), main.head) : undefined
      if (pair === undefined) return Decoration.none
      return Decoration.set([partner.range(pair.open, pair.open + 1), partner.range(pair.close, pair.close + 1)])
    }
    const plugin = {
      decorations: marks(view.state),
      update(update: { docChanged: boolean; selectionSet: boolean; state: EditorState }) {
        if (update.docChanged || update.selectionSet) plugin.decorations = marks(update.state)
      },
    }
    return plugin
  },
  { decorations: plugin => plugin.decorations },
)

const CLOSING: Record<string, string> = { '{': '}', '[': ']', '"': '"' }

/** Typing an opening bracket or quote writes its partner too; typing the partner steps over it. */
export const closeBrackets: Extension = EditorView.inputHandler.of((view, from, to, text) => {
  const close = CLOSING[text]
  const next = view.state.sliceDoc(to, to + 1)
  if (view.composing || view.state.readOnly) return false
  if (from === to && next === text && (text === '}' || text === ']' || text === '"')) {
    view.dispatch({ selection: { anchor: to + 1 }, userEvent: 'input.type' })
    return true
  }
  if (close === undefined) return false
  const selected = view.state.sliceDoc(from, to)
  const before = view.state.sliceDoc(Math.max(0, from - 1), from)
  // A quote within or before a word is a quote and no more; so is a bracket before one.
  if (selected === '' && (/["\w{[+-]/.test(next) || (text === '"' && /[\w"\\]/.test(before)))) return false
  view.dispatch({
    changes: { from, to, insert: text + selected + close },
    selection: EditorSelection.range(from + 1, from + 1 + selected.length),
    scrollIntoView: true,
    userEvent: 'input.type',
  })
  return true
})

const removePair: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection
  const around = state.sliceDoc(main.head - 1, main.head + 1)
  if (state.readOnly || !main.empty || !['{}', '[]', '""'].includes(around)) return false
  dispatch(state.update({ changes: { from: main.head - 1, to: main.head + 1 }, userEvent: 'delete.backward' }))
  return true
}

const breakLine: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false
  const change = state.changeByRange(({ from, to }) => {
    const { indent, opens, closes } = around(state.doc, from, to)
    const inner = opens ? `${indent}  ` : indent
    const insert = `\n${inner}${opens && closes ? `\n${indent}` : ''}`
    return { changes: { from, to, insert }, range: EditorSelection.cursor(from + 1 + inner.length) }
  })
  dispatch(state.update(change, { scrollIntoView: true, userEvent: 'input' }))
  return true
}

function around(doc: Text, from: number, to: number) {
  const line = doc.lineAt(from)
  return {
    indent: /^[ \t]*/.exec(line.text)![0].slice(0, from - line.from),
    opens: /[{[]\s*$/.test(doc.sliceString(line.from, from)),
    closes: /^\s*[}\]]/.test(doc.sliceString(to, doc.lineAt(to).to)),
  }
}

export const bracketKeys: readonly KeyBinding[] = [
  { key: 'Backspace', run: removePair },
  { key: 'Enter', run: breakLine, shift: breakLine },
]
