// What is typed over a selection of the editor. CodeMirror leaves that to the browser and reads what came of it, which
// a strict content security policy makes loud.
import { EditorView } from '@codemirror/view'

/**
 * Text typed over a selection replaces it by a transaction. Left to itself, the browser keeps the look of what was replaced in an
 * inline style, which the content security policy refuses, aloud.
 */
export const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event
    const selected = document.getSelection()
    if (inputType !== 'insertText' || data === null || selected === null || selected.rangeCount === 0) return false
    if (isComposing || view.composing || view.state.readOnly || selected.isCollapsed) return false
    const { startContainer, startOffset, endContainer, endOffset } = selected.getRangeAt(0)
    const from = view.posAtDOM(startContainer, startOffset)
    const to = view.posAtDOM(endContainer, endOffset)
    const insert = () =>
      view.state.update({
        changes: { from, to, insert: data },
        selection: { anchor: from + data.length },
        scrollIntoView: true,
        userEvent: 'input.type',
      })
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some(handle => handle(view, from, to, data, insert))) view.dispatch(insert())
    return true
  },
})
