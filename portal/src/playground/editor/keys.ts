// The keys of the editor and the reader: those of every text field, and no more; each brings its code along.
import {
  cursorCharLeft,
  cursorCharRight,
  cursorDocEnd,
  cursorDocStart,
  cursorGroupLeft,
  cursorGroupRight,
  cursorLineBoundaryBackward,
  cursorLineBoundaryForward,
  cursorLineDown,
  cursorLineUp,
  cursorPageDown,
  cursorPageUp,
  deleteGroupBackward,
  deleteGroupForward,
  moveLineDown,
  moveLineUp,
  selectAll,
  selectCharLeft,
  selectCharRight,
  selectDocEnd,
  selectDocStart,
  selectGroupLeft,
  selectGroupRight,
  selectLineBoundaryBackward,
  selectLineBoundaryForward,
  selectLineDown,
  selectLineUp,
  selectPageDown,
  selectPageUp,
} from '@codemirror/commands'
import { EditorSelection } from '@codemirror/state'
import type { Command, KeyBinding } from '@codemirror/view'

const both = { preventDefault: true }

export const moveKeys: readonly KeyBinding[] = [
  { key: 'ArrowLeft', run: cursorCharLeft, shift: selectCharLeft, ...both },
  { key: 'Mod-ArrowLeft', mac: 'Alt-ArrowLeft', run: cursorGroupLeft, shift: selectGroupLeft, ...both },
  { key: 'ArrowRight', run: cursorCharRight, shift: selectCharRight, ...both },
  { key: 'Mod-ArrowRight', mac: 'Alt-ArrowRight', run: cursorGroupRight, shift: selectGroupRight, ...both },
  { key: 'ArrowUp', run: cursorLineUp, shift: selectLineUp, ...both },
  { key: 'ArrowDown', run: cursorLineDown, shift: selectLineDown, ...both },
  { key: 'PageUp', run: cursorPageUp, shift: selectPageUp },
  { key: 'PageDown', run: cursorPageDown, shift: selectPageDown },
  { key: 'Home', mac: 'Cmd-ArrowLeft', run: cursorLineBoundaryBackward, shift: selectLineBoundaryBackward, ...both },
  { key: 'End', mac: 'Cmd-ArrowRight', run: cursorLineBoundaryForward, shift: selectLineBoundaryForward, ...both },
  { key: 'Mod-Home', mac: 'Cmd-ArrowUp', run: cursorDocStart, shift: selectDocStart },
  { key: 'Mod-End', mac: 'Cmd-ArrowDown', run: cursorDocEnd, shift: selectDocEnd },
  { key: 'Mod-a', run: selectAll },
]

// CodeMirror's own would bring its parsers along, which nothing here uses.
const deleteChar =
  (forward: boolean): Command =>
  view => {
    if (view.state.readOnly) return false
    const change = view.state.changeByRange(range => {
      const to = range.empty ? view.moveByChar(range, forward).head : range.to
      const from = Math.min(range.from, to)
      return { changes: { from, to: Math.max(range.from, to) }, range: EditorSelection.cursor(from) }
    })
    if (change.changes.empty) return false
    const userEvent = forward ? 'delete.forward' : 'delete.backward'
    view.dispatch(view.state.update(change, { scrollIntoView: true, userEvent }))
    return true
  }

/** Tab: two spaces at the cursor, or before every selected line; Shift-Tab takes them away. */
const indent =
  (more: boolean): Command =>
  view => {
    const { state } = view
    const { main } = state.selection
    if (state.readOnly) return false
    if (more && main.empty) {
      view.dispatch(state.update(state.replaceSelection('  '), { scrollIntoView: true, userEvent: 'input.indent' }))
      return true
    }
    const changes: { from: number; to?: number; insert?: string }[] = []
    for (let at = main.from; at <= main.to; ) {
      const line = state.doc.lineAt(at)
      const spaces = /^ {0,2}/.exec(line.text)![0].length
      if (more) changes.push({ from: line.from, insert: '  ' })
      else if (spaces > 0) changes.push({ from: line.from, to: line.from + spaces })
      at = line.to + 1
    }
    view.dispatch({ changes, userEvent: more ? 'input.indent' : 'delete.dedent' })
    return true
  }

export const writeKeys: readonly KeyBinding[] = [
  { key: 'Backspace', run: deleteChar(false), shift: deleteChar(false), ...both },
  { key: 'Delete', run: deleteChar(true), ...both },
  { key: 'Tab', run: indent(true), shift: indent(false) },
  { key: 'Mod-Backspace', mac: 'Alt-Backspace', run: deleteGroupBackward, ...both },
  { key: 'Mod-Delete', mac: 'Alt-Delete', run: deleteGroupForward, ...both },
  { key: 'Alt-ArrowUp', run: moveLineUp },
  { key: 'Alt-ArrowDown', run: moveLineDown },
]
